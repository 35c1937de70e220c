// The controls of the panel: outcomes, the order of webhook and return, and the texts to copy.
import { html } from 'hono/html'
import { PAYMENT_FAILURE_CODES } from '../../../domain/failure-codes.ts'
import { awaitsBuyer } from '../../../domain/payment.ts'
import type { MessageKey } from '../localizer.ts'
import { COMMON_DECLINES } from '../panel-actions.ts'
import { ARRIVAL_ORDERS, BANK_DELAYS } from '../panel-faults.ts'
import { asCommand, asTest } from '../reproductions.ts'
import { form, hidden } from './forms.ts'
import { icon } from './icons.ts'
import type { Html, PageView } from './page-view.ts'
import { truncate } from './text.ts'

/** The id of the form of the outcomes. The options of webhook and return belong to this form too. */
const PANEL_FORM = 'panel-form'

/** Three outcomes with a select for code and delay, and one button for each common decline. */
export function outcomeForm(view: PageView): Html {
  const { text } = view.localizer
  const waits = awaitsBuyer(view.payment)
  return form(
    view,
    'act',
    html`${defaultButton(view)}${hidden('shown_order', view.arrivalOrder)}<fieldset><legend>${text('outcome')}</legend>
<div class="levers"><button class="button good" name="act" value="approve">${text('approve')}</button>
<button class="button bad" name="act" value="decline">${text('decline')}</button>
<button class="button secondary" name="act" value="expire">${text('expire')}</button></div>
<div class="field-pair"><p class="field"><label for="act-code">${text('decline_code')}</label><select id="act-code" name="code">${PAYMENT_FAILURE_CODES.map((code) => html`<option>${code}</option>`)}</select></p>
<p class="field"><label for="act-delay">${text('when')}</label><select id="act-delay" name="delay"><option value="">${text('at_once')}</option>${
      waits
        ? BANK_DELAYS.map(
            (ms) => html`<option value="${ms}">${text('after', { delay: view.localizer.duration(ms) })}</option>`,
          )
        : ''
    }</select></p></div>
<p class="quick"><span class="quick-label">${text('quick')}</span>${COMMON_DECLINES.map(
      (code) => html`<button class="pill" name="quick" value="${code}">${text(`quick_${code}`)}</button>`,
    )}${waits && html`<button class="pill" name="quick" value="no_response">${text('quick_no_response')}</button>`}</p></fieldset>`,
    '',
    PANEL_FORM,
  )
}

/**
 * The button that the Enter key presses, because it is the first of the form. It only applies the order of webhook and
 * return, as the button Apply does. Without it, the Enter key would end the payment.
 */
function defaultButton(view: PageView): Html {
  return html`<button hidden formaction="${view.href('order')}"></button>`
}

/**
 * The options of webhook and return. Each button of an outcome sends them too, so a choice also applies without Apply.
 */
export function arrivalOrderOptions(view: PageView): Html {
  const { text } = view.localizer
  return html`<fieldset><legend>${text('order_title')}</legend>${Object.keys(ARRIVAL_ORDERS).map(
    (name) =>
      html`<label class="radio"><input type="radio" form="${PANEL_FORM}" name="order" value="${name}" ${name === view.arrivalOrder ? html`checked` : ''}>${text(`order_${name}` as MessageKey)}</label>`,
  )}
<button class="button secondary" form="${PANEL_FORM}" formaction="${view.href('order')}">${text('apply')}</button></fieldset>`
}

/** Buttons that copy the payment as a command or as a test. Without a script, both texts are shown instead. */
export function copies({ localizer: { text, pspCommand }, payment }: PageView): Html {
  const { order_id, description } = payment
  const shown = {
    ...payment,
    order_id: truncate(order_id, 200),
    description: description === undefined ? undefined : truncate(description, 400),
  }
  const rows = [
    ['copy_command', asCommand(shown, pspCommand)],
    ['copy_test', asTest(shown)],
  ] as const
  return html`<section class="copies" aria-label="${text('copies')}">${rows.map(
    ([
      key,
      copied,
    ]) => html`<button type="button" class="button secondary" data-copy-text="${copied}" data-copied="${text('command_copied')}" hidden>${icon('copy')}${text(key)}</button>
<noscript><p class="hint">${text(key)}</p><pre tabindex="0">${copied}</pre></noscript>`,
  )}</section>`
}
