// The sandbox's panel: what the simulator planned and why, and levers to change it.
import { html } from 'hono/html'
import { FAILURE_CODES } from '../../../domain/failure-codes.ts'
import type { Payment } from '../../../domain/payment.ts'
import { isFinalPayment } from '../../../domain/payment-states.ts'
import { formatPlan } from '../../../domain/simulator-plan.ts'
import { formatDuration } from '../../../domain/time.ts'
import { DELAYS, ORDERS } from '../levers.ts'
import type { TextKey } from '../words.ts'
import { form } from './forms.ts'
import { icon } from './icons.ts'
import type { Html, PageView } from './page-view.ts'

export function panel(view: PageView): Html {
  const { words, payment, clock, faults } = view
  const { text } = words
  const over = isFinalPayment(payment.status)
  return html`<aside class="sandbox" aria-label="${text('panel')}"><details class="panel" data-keep="panel" ${view.look.dropped ? html`open` : ''}><summary>${icon('flask')}<span>${text('panel')}</span>${!over && clock.speed === 0 && html`<span class="badge">${text('frozen')}</span>`}<code>${formatPlan(payment.plan)}</code></summary>
<div class="panel-body"><p class="quiet">${text('panel_hint')}</p>
<dl class="facts">
<div><dt>${text('planned')}</dt><dd data-plan>${planText(view)}</dd></div>
<div><dt>${text('why')}</dt><dd data-why>${whyText(view)}</dd></div>
${faults.length > 0 && html`<div><dt>${text('order_title')}</dt><dd>${text('order_now', { faults: faults.map(({ target, fault }) => `${target} ${fault}`).join(', ') })}</dd></div>`}
</dl>
${clock.speed === 0 && html`<p class="alert">${text('clock_frozen')}</p>`}
${view.look.dropped && html`<p class="alert">${text('dropped')}</p>`}
${over ? html`<p>${text('is_final', { status: ended(payment) })}</p>` : outcomes(view)}
${!over && order(view)}
</div></details></aside>`
}

/** The status, and the codes where it has some: `failed, do_not_honor, I05005`. */
function ended({ status, metadata }: Payment): string {
  return [status, metadata['failure_code'], metadata['bank_failure_code']].filter(Boolean).join(', ')
}

function outcomes(view: PageView): Html {
  const { text } = view.words
  return form(
    view,
    'act',
    html`<fieldset><legend>${text('outcome')}</legend>
<p class="field"><label for="act-code">${text('decline_code')}</label><select id="act-code" name="code">${Object.keys(
      FAILURE_CODES,
    ).map((code) => html`<option>${code}</option>`)}</select></p>
<p class="field"><label for="act-delay">${text('when')}</label><select id="act-delay" name="delay"><option value="">${text('at_once')}</option>${
      view.payment.status === 'pending'
        ? DELAYS.map((ms) => html`<option value="${ms}">${text('after', { delay: formatDuration(ms) })}</option>`)
        : ''
    }</select></p>
<p class="levers"><button class="button good" name="act" value="approve" data-once>${text('approve')}</button>
<button class="button bad" name="act" value="decline" data-once>${text('decline')}</button>
<button class="button secondary" name="act" value="expire" data-once>${text('expire')}</button></p>
<p class="hint">${text('after_note')}</p></fieldset>`,
  )
}

function order(view: PageView): Html {
  const { text } = view.words
  return form(
    view,
    'order',
    html`<fieldset><legend>${text('order_title')}</legend>${Object.keys(ORDERS).map(
      (name, index) =>
        html`<label class="radio"><input type="radio" name="order" value="${name}" ${index === 0 ? html`checked` : ''}>${text(`order_${name}` as TextKey)}</label>`,
    )}
<button class="button secondary">${text('apply')}</button></fieldset>`,
  )
}

function planText({ words, payment: { plan } }: PageView): string {
  const outcome =
    plan.outcome === 'cut'
      ? 'succeeded'
      : plan.outcome === 'refused' || plan.outcome === 'error'
        ? 'failed'
        : plan.outcome
  const said = words.text(`plan_${outcome}`, { code: 'code' in plan ? plan.code : '' })
  return plan.delay === undefined ? said : words.text('plan_after', { plan: said, delay: formatDuration(plan.delay) })
}

function whyText({ words, payment: { plan } }: PageView): string {
  const key = `why_${plan.decided_by.split(' ')[0]}`
  const known = ['why_default', 'why_rule', 'why_header', 'why_metadata', 'why_card', 'why_magic', 'why_act']
  return known.includes(key) ? words.text(key as TextKey, { what: plan.decided_by }) : plan.decided_by
}
