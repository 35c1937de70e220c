// The sandbox's panel: what the simulator planned and why, and levers to change it.
import { html } from 'hono/html'
import { PAYMENT_FAILURE_CODES } from '../../../domain/failure-codes.ts'
import type { Fault } from '../../../domain/faults.ts'
import { awaitsBuyer, type Payment } from '../../../domain/payment.ts'
import { hasBuyer } from '../../../domain/payment-methods.ts'
import { isFinalPayment } from '../../../domain/payment-states.ts'
import { formatPlan, ignoredPlan } from '../../../domain/simulator-plan.ts'
import { isOrderFault } from '../order-faults.ts'
import { DELAYS, ORDERS } from '../panel-options.ts'
import { TEXTS } from '../texts.ts'
import type { TextKey } from '../words.ts'
import { form } from './forms.ts'
import { icon } from './icons.ts'
import type { Html, PageView } from './page-view.ts'
import { withCode } from './with-code.ts'

export function panel(view: PageView): Html {
  const { words, payment, clock, faults } = view
  const { text } = words
  const over = isFinalPayment(payment.status)
  return html`<aside class="sandbox" aria-label="${text('panel')}">${note(view)}<details class="panel" data-keep="panel" ${view.look.panel || view.look.dropped ? html`open` : ''}><summary>${icon('flask')}<span>${text('panel')}</span>${!over && clock.speed === 0 && html`<span class="badge">${text('frozen')}</span>`}<span class="plan plan-${toneOf(payment)}"><span class="unseen">${text(over ? 'status' : 'planned')}: </span>${over ? ended(payment) : formatPlan(payment.plan)}</span>${icon('next')}</summary>
<div class="panel-body"><p class="quiet">${text('panel_hint')}</p>
<dl class="facts">
<div><dt>${text('planned')}</dt><dd data-plan>${planText(view)}</dd></div>
<div><dt>${text('why')}</dt><dd data-why>${withCode(whyText(view))}</dd></div>
${!over && faults.length > 0 && html`<div><dt>${text('faults_ahead')}</dt><dd>${faultTexts(view).map((each) => html`<span class="fault" data-fault>${each}</span>`)}</dd></div>`}
</dl>
${ignoredText(view)}
${clock.speed === 0 && html`<p class="alert">${withCode(text('clock_frozen'))}</p>`}
${view.look.dropped && html`<p class="alert">${text('dropped')}</p>`}
${over ? html`<p>${text('is_final', { status: ended(payment) })}</p>` : outcomes(view)}
${!over && order(view)}
</div></details></aside>`
}

/** Why there is nothing to do on this page. */
function note({ words, payment }: PageView): Html | string {
  const { status, method, plan, page_opened_at, session_by_act } = payment
  if (status === 'processing' && session_by_act === true) return noteOf(words.text('session_by_act'))
  const unattended = page_opened_at === undefined && hasBuyer(method) && plan.outcome !== 'refused'
  const byBuyer = isFinalPayment(status) && status !== 'cancelled' && payment.processing_until !== undefined
  return unattended && byBuyer ? noteOf(words.text('unattended')) : ''
}

function noteOf(text: string): Html {
  return html`<p class="sandbox-note" data-note>${withCode(text)}</p>`
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
<p class="field"><label for="act-code">${text('decline_code')}</label><select id="act-code" name="code">${PAYMENT_FAILURE_CODES.map((code) => html`<option>${code}</option>`)}</select></p>
<p class="field"><label for="act-delay">${text('when')}</label><select id="act-delay" name="delay"><option value="">${text('at_once')}</option>${
      awaitsBuyer(view.payment)
        ? DELAYS.map((ms) => html`<option value="${ms}">${text('after', { delay: view.words.duration(ms) })}</option>`)
        : ''
    }</select></p>
<div class="levers"><button class="button good" name="act" value="approve">${text('approve')}</button>
<button class="button bad" name="act" value="decline">${text('decline')}</button>
<button class="button secondary" name="act" value="expire">${text('expire')}</button></div>
<p class="hint">${text('after_note')}</p></fieldset>`,
  )
}

function order(view: PageView): Html {
  const { text } = view.words
  return form(
    view,
    'order',
    html`<fieldset><legend>${text('order_title')}</legend>${Object.keys(ORDERS).map(
      (name) =>
        html`<label class="radio"><input type="radio" name="order" value="${name}" ${name === view.order ? html`checked` : ''}>${text(`order_${name}` as TextKey)}</label>`,
    )}
<button class="button secondary">${text('apply')}</button></fieldset>`,
  )
}

function toneOf({ plan, status }: Payment): 'succeeded' | 'failed' | 'pending' | 'asks' {
  if (isFinalPayment(status)) return status === 'succeeded' || status === 'failed' ? status : 'pending'
  if (plan.outcome === 'requires_action') return 'asks'
  if (plan.outcome === 'pending') return 'pending'
  return plan.outcome === 'succeeded' || plan.outcome === 'cut' ? 'succeeded' : 'failed'
}

/** A lever of this panel makes several, for one end or another: they are one to whoever set it. */
function faultTexts(view: PageView): string[] {
  return [
    ...new Set(
      view.faults.map((fault) =>
        isOrderFault(fault, view.payment) ? `${fault.target} ${fault.fault}` : faultText(fault, view),
      ),
    ),
  ]
}

/** `redirect drop, if status=failed, 2 times`: what it is, when it strikes, and how often it still may. */
function faultText({ target, fault, match, times, every, probability }: Fault, { words, payment }: PageView): string {
  const conditions = Object.entries(match).filter(([, value]) => value !== payment.id && value !== payment.shop_id)
  return [
    `${target} ${fault}`,
    conditions.length > 0 && words.text('fault_if', { match: conditions.map((pair) => pair.join('=')).join(' ') }),
    every !== undefined && words.text('fault_every', { every }),
    probability !== undefined && words.text('fault_probability', { percent: Math.round(probability * 100) }),
    times !== undefined && words.text('fault_times', { times }),
  ]
    .filter(Boolean)
    .join(', ')
}

/** Whoever wrote a plan that is none, and sees another outcome, looks here. */
function ignoredText({ words, payment: { metadata } }: PageView): Html | string {
  const ignored = ignoredPlan(metadata)
  if (ignored === undefined) return ''
  const { text, near } = ignored
  return html`<p class="alert" data-ignored>${words.text('plan_ignored', { text: JSON.stringify(text) })} ${near !== undefined && words.text('plan_meant', { near })}</p>`
}

function planText({ words, payment: { plan } }: PageView): string {
  const outcome =
    plan.outcome === 'cut'
      ? 'succeeded'
      : plan.outcome === 'refused' || plan.outcome === 'error'
        ? 'failed'
        : plan.outcome
  const said = words.text(`plan_${outcome}`, { code: 'code' in plan ? plan.code : '' })
  return plan.delay === undefined ? said : words.text('plan_after', { plan: said, delay: words.duration(plan.delay) })
}

/** `decided_by` in words: `magic amount 51`, `rule rul_…`, `header`. */
function whyText({ words, payment: { plan } }: PageView): string {
  const [kind = '', ...rest] = plan.decided_by.split(' ')
  const magic = rest[0] === 'amount' || rest[0] === 'description'
  const key = kind === 'magic' && magic ? `why_magic_${rest.shift()}` : `why_${kind}`
  return Object.hasOwn(TEXTS, key) ? words.text(key as TextKey, { what: rest.join(' ') }) : plan.decided_by
}
