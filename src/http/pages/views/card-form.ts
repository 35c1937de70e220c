// The card form. It never shows a typed card number again, but can fill in a test card from the list.
import { html } from 'hono/html'
import magic from '../../../../fixtures/magic.json' with { type: 'json' }
import type { CardField } from '../card-form.ts'
import { form } from './forms.ts'
import { icon } from './icons.ts'
import { acceptedCards } from './marks.ts'
import type { Html, PageView } from './page-view.ts'

interface Field {
  readonly name: CardField
  readonly label: string
  readonly value: string
  readonly attributes: Html
  readonly hint?: string
  readonly after?: Html
}

export function cardForm(view: PageView): Html {
  const { localizer, payment, errors, query } = view
  const { text } = localizer
  const filled = query.test_card === undefined ? undefined : TEST_CARDS[query.test_card]
  const expiry = testExpiry(view.clock.now)
  const first = errors?.fields[0] ?? (filled === undefined && !query.panel ? 'number' : undefined)
  const field = ({ name, label, value, attributes, hint, after }: Field) => {
    const wrong = errors?.fields.includes(name) === true
    const described = [after && `${name}-brand`, hint && `${name}-hint`, `${name}-error`].filter(Boolean).join(' ')
    return html`<p class="field field-${name}"><label for="${name}">${label}</label><span class="control"><input id="${name}" name="${name}" value="${value}" aria-describedby="${described}" ${wrong ? html`aria-invalid="true"` : ''} ${first === name ? html`autofocus` : ''} ${attributes}>${after}</span>
${hint && html`<span class="hint" id="${name}-hint">${hint}</span>`}
<span class="error" id="${name}-error" data-text="${mistakeText(view, name)}" ${name === 'number' ? html`data-empty="${text('error_number_empty')}"` : ''} ${name === 'cvc' ? html`data-amex="${text('error_cvc', { digits: 4 })}"` : ''}>${wrong ? errorText(view, name) : ''}</span></p>`
  }
  const fields = [
    field({
      name: 'number',
      label: text('card_number'),
      value: filled === undefined ? '' : grouped(filled.number),
      attributes: html`inputmode="numeric" autocomplete="cc-number" required maxlength="29" placeholder="0000 0000 0000 0000" dir="ltr" spellcheck="false"`,
      after: html`${acceptedCards()}<span class="brand unseen" id="number-brand" data-brand></span>`,
    }),
    field({
      name: 'expiry',
      label: text('card_expiry'),
      value: errors?.expiry ?? (filled === undefined ? '' : expiry),
      attributes: html`inputmode="numeric" autocomplete="cc-exp" required maxlength="10" placeholder="${text('card_expiry_form')}" dir="ltr"`,
    }),
    field({
      name: 'cvc',
      label: text('card_cvc'),
      value: filled === undefined ? '' : '123',
      attributes: html`inputmode="numeric" autocomplete="cc-csc" required maxlength="4" placeholder="000" dir="ltr" spellcheck="false"`,
      hint: text('card_cvc_hint'),
    }),
    field({
      name: 'holder',
      label: text('card_holder'),
      value: errors?.holder ?? '',
      attributes: html`autocomplete="cc-name" maxlength="64" autocapitalize="characters" spellcheck="false"`,
    }),
    html`<button class="button primary">${text('pay', { amount: localizer.money(payment.amount, payment.currency) })}</button>`,
  ]
  return html`<h1>${text('card_title')}</h1>
${cardPreview(view)}
${errors !== undefined && html`<p class="alert" role="alert">${text('errors')}</p>`}
${form(view, 'pay', fields, 'card-form')}
${payment.mode === 'test' && testCards(view)}`
}

/** A drawing of the card, which the script fills in while the buyer types. */
function cardPreview({ localizer: { text } }: PageView): Html {
  return html`<div class="card-preview" aria-hidden="true" data-preview hidden>${acceptedCards()}<span class="chip"></span>
<span class="card-preview-number" data-preview-number></span>
<span class="card-preview-holder" data-preview-holder></span><span data-preview-expiry data-empty="${text('card_expiry_form')}"></span></div>`
}

function errorText(view: PageView, name: CardField): string {
  const { localizer, errors } = view
  const empty = name === 'number' && errors?.no_number === true
  return empty ? localizer.text('error_number_empty') : mistakeText(view, name)
}

function mistakeText({ localizer, errors }: PageView, name: CardField): string {
  return localizer.text(`error_${name}`, { digits: errors?.digits ?? 3 })
}

function testCards(view: PageView): Html {
  const { text } = view.localizer
  return html`<details class="test-cards" data-keep="test-cards"><summary>${icon('flask')}${text('test_cards')}${icon('next')}</summary><p class="hint">${text('test_cards_hint')}</p>
<ul data-expiry="${testExpiry(view.clock.now)}">${TEST_CARDS.map(
    ({ number, plan }, index) =>
      html`<li><a href="${view.href('', { card: index })}" data-card="${number}"><span>${grouped(number)}</span><span class="plan plan-${plan?.split(':')[0] ?? 'asks'}">${plan ?? text('three_ds')}</span></a></li>`,
  )}</ul></details>`
}

/** `plan` is absent if the bank asks the buyer to confirm (3-D Secure). */
const TEST_CARDS: readonly { readonly number: string; readonly plan: string | undefined }[] = Object.entries(
  magic.cards,
).map(([number, row]) => ({ number, plan: 'plan' in row ? row.plan : undefined }))

/** Returns `2200 0000 0001 0003`. */
function grouped(number: string): string {
  return number.replace(/(\d{4})(?=\d)/g, '$1 ')
}

/** Returns December of the third year after the sandbox's time. */
function testExpiry(now: number): string {
  return `12/${String(new Date(now).getUTCFullYear() + 3).slice(-2)}`
}
