// The result of the payment, as a message for the buyer.
import { html } from 'hono/html'
import { isFinalPayment } from '../../../domain/payment-states.ts'
import type { MessageKey } from '../localizer.ts'
import { type IconName, icon, methodIcon } from './icons.ts'
import type { Html, PageView } from './page-view.ts'
import { storedBankName } from './text.ts'

interface OutcomeDisplay {
  readonly icon?: IconName
  readonly tone: 'good' | 'bad' | 'calm' | 'wait'
  readonly title: MessageKey
  readonly text?: MessageKey
}

/** The steps in which the buyer has nothing left to do. */
export const OUTCOMES = {
  waiting: { tone: 'wait', title: 'waiting_title', text: 'waiting_text' },
  processing: { tone: 'wait', title: 'processing_title', text: 'processing_text' },
  succeeded: { icon: 'check', tone: 'good', title: 'succeeded_title', text: 'succeeded_text' },
  failed: { icon: 'cross', tone: 'bad', title: 'failed_title' },
  cancelled: { icon: 'cross', tone: 'calm', title: 'cancelled_title', text: 'cancelled_text' },
  expired: { icon: 'clock', tone: 'calm', title: 'expired_title' },
  refunded: { icon: 'back', tone: 'calm', title: 'refunded_title', text: 'refunded_text' },
} as const satisfies { readonly [step: string]: OutcomeDisplay }

export function outcome(view: PageView): Html {
  const { localizer, payment, step, returns_after, query } = view
  const { text } = localizer
  const display: OutcomeDisplay = OUTCOMES[step as keyof typeof OUTCOMES]
  const reason = localizer.failure(payment)
  return html`<div class="outcome outcome-${display.tone}"><span class="outcome-icon">${
    display.icon === undefined
      ? html`<span class="spinner" aria-hidden="true"></span>${methodIcon(payment.method)}`
      : icon(display.icon)
  }</span>
<h1 data-headline>${text(display.title)}</h1>
${reason !== undefined && html`<p>${reason}</p>`}
${display.text !== undefined && html`<p>${text(display.text)}</p>`}
${reason !== undefined && html`<p class="quiet">${text('nothing_charged')}</p>`}
</div>
${isFinalPayment(payment.status) && receipt(view)}
${
  returns_after !== undefined &&
  html`<div class="returning">${!query.stay && html`<p>${text('returning')}</p><span class="returning-bar" aria-hidden="true"></span>`}<a class="button ${query.stay ? 'primary' : 'secondary'}" href="${view.href('return', { by: query.dropped ? 'hand' : undefined })}">${text('return_now')}</a></div>`
}`
}

function receipt({ localizer, payment }: PageView): Html {
  const { text } = localizer
  const card = [payment.customer_card_brand, payment.customer_card_mask].filter(Boolean).join(' ')
  const rows: readonly (readonly [MessageKey, string | undefined])[] = [
    ['paid_with', card === '' ? undefined : card],
    ['bank', payment.bank_name === undefined ? undefined : storedBankName(localizer, payment.bank_name)],
    ['rrn', payment.rrn],
    [
      'refunded_part',
      payment.amount_refunded > 0 ? localizer.money(payment.amount_refunded, payment.currency) : undefined,
    ],
  ]
  const filled = rows.filter(([, value]) => value !== undefined)
  if (filled.length === 0) return html``
  return html`<dl class="facts receipt">${filled.map(
    ([key, value]) => html`<div><dt>${text(key)}</dt><dd><bdi>${value}</bdi></dd></div>`,
  )}</dl>`
}
