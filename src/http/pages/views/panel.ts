// The sandbox's panel: the simulator's plan and its reason, with controls to change it.
import { html } from 'hono/html'
import { PAYMENT_FAILURE_CODES } from '../../../domain/failure-codes.ts'
import type { Fault } from '../../../domain/faults.ts'
import { awaitsBuyer, type Payment } from '../../../domain/payment.ts'
import { hasBuyer } from '../../../domain/payment-methods.ts'
import { isFinalPayment } from '../../../domain/payment-states.ts'
import { formatPlan, ignoredPlan } from '../../../domain/simulator-plan.ts'
import type { MessageKey } from '../localizer.ts'
import { ARRIVAL_ORDERS, BANK_DELAYS, isArrivalOrderFault } from '../panel-faults.ts'
import { PANEL_MESSAGES } from '../panel-messages.ts'
import { form } from './forms.ts'
import { icon } from './icons.ts'
import type { Html, PageView } from './page-view.ts'
import { inlineCode } from './text.ts'

export function panel(view: PageView): Html {
  const { localizer, payment, clock, faults } = view
  const { text } = localizer
  const over = isFinalPayment(payment.status)
  return html`<aside class="sandbox" aria-label="${text('panel')}">${buyerNote(view)}<details class="panel" data-keep="panel" ${view.query.panel || view.query.dropped ? html`open` : ''}><summary>${icon('flask')}<span>${text('panel')}</span>${!over && clock.speed === 0 && html`<span class="badge">${text('frozen')}</span>`}<span class="plan plan-${toneOf(payment)}"><span class="unseen">${text(over ? 'status' : 'planned')}: </span>${over ? finalStatusText(payment) : formatPlan(payment.plan)}</span>${icon('next')}</summary>
<div class="panel-body"><p class="quiet">${text('panel_hint')}</p>
<dl class="facts">
<div><dt>${text('planned')}</dt><dd data-plan>${planText(view)}</dd></div>
<div><dt>${text('decided_by')}</dt><dd data-why>${inlineCode(decidedByText(view))}</dd></div>
${!over && faults.length > 0 && html`<div><dt>${text('pending_faults')}</dt><dd>${faultTexts(view).map((each) => html`<span class="fault" data-fault>${each}</span>`)}</dd></div>`}
</dl>
${ignoredText(view)}
${clock.speed === 0 && html`<p class="alert">${inlineCode(text('clock_frozen'))}</p>`}
${view.query.dropped && html`<p class="alert">${text('dropped')}</p>`}
${over ? html`<p>${text('is_final', { status: finalStatusText(payment) })}</p>` : outcomeForm(view)}
${!over && arrivalOrderForm(view)}
</div></details></aside>`
}

/** Explains why the buyer has nothing to do on this page. */
function buyerNote({ localizer, payment }: PageView): Html | string {
  const { status, method, plan, page_opened_at, session_by_act } = payment
  if (status === 'processing' && session_by_act === true) return noteOf(localizer.text('session_opened_by_command'))
  const unattended = page_opened_at === undefined && hasBuyer(method) && plan.outcome !== 'refused'
  const byBuyer = isFinalPayment(status) && status !== 'cancelled' && payment.processing_until !== undefined
  return unattended && byBuyer ? noteOf(localizer.text('unattended')) : ''
}

function noteOf(text: string): Html {
  return html`<p class="sandbox-note" data-note>${inlineCode(text)}</p>`
}

/** Returns the status and the failure codes: `failed, do_not_honor, I05005`. */
function finalStatusText({ status, metadata }: Payment): string {
  return [status, metadata['failure_code'], metadata['bank_failure_code']].filter(Boolean).join(', ')
}

function outcomeForm(view: PageView): Html {
  const { text } = view.localizer
  return form(
    view,
    'act',
    html`<fieldset><legend>${text('outcome')}</legend>
<p class="field"><label for="act-code">${text('decline_code')}</label><select id="act-code" name="code">${PAYMENT_FAILURE_CODES.map((code) => html`<option>${code}</option>`)}</select></p>
<p class="field"><label for="act-delay">${text('when')}</label><select id="act-delay" name="delay"><option value="">${text('at_once')}</option>${
      awaitsBuyer(view.payment)
        ? BANK_DELAYS.map(
            (ms) => html`<option value="${ms}">${text('after', { delay: view.localizer.duration(ms) })}</option>`,
          )
        : ''
    }</select></p>
<div class="levers"><button class="button good" name="act" value="approve">${text('approve')}</button>
<button class="button bad" name="act" value="decline">${text('decline')}</button>
<button class="button secondary" name="act" value="expire">${text('expire')}</button></div>
<p class="hint">${text('after_note')}</p></fieldset>`,
  )
}

function arrivalOrderForm(view: PageView): Html {
  const { text } = view.localizer
  return form(
    view,
    'order',
    html`<fieldset><legend>${text('order_title')}</legend>${Object.keys(ARRIVAL_ORDERS).map(
      (name) =>
        html`<label class="radio"><input type="radio" name="order" value="${name}" ${name === view.arrivalOrder ? html`checked` : ''}>${text(`order_${name}` as MessageKey)}</label>`,
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

/** A control of this panel may add a fault for each possible end event. They are listed as one. */
function faultTexts(view: PageView): string[] {
  return [
    ...new Set(
      view.faults.map((fault) =>
        isArrivalOrderFault(fault, view.payment) ? `${fault.target} ${fault.fault}` : faultText(fault, view),
      ),
    ),
  ]
}

/** `redirect drop, if status=failed, 2 times`: what it is, when it strikes, and how often it still may. */
function faultText(
  { target, fault, match, times, every, probability }: Fault,
  { localizer, payment }: PageView,
): string {
  const conditions = Object.entries(match).filter(([, value]) => value !== payment.id && value !== payment.shop_id)
  return [
    `${target} ${fault}`,
    conditions.length > 0 && localizer.text('fault_if', { match: conditions.map((pair) => pair.join('=')).join(' ') }),
    every !== undefined && localizer.text('fault_every', { every }),
    probability !== undefined && localizer.text('fault_probability', { percent: Math.round(probability * 100) }),
    times !== undefined && localizer.text('fault_times', { times }),
  ]
    .filter(Boolean)
    .join(', ')
}

/** Warns that `metadata.simulate` is not a valid plan. */
function ignoredText({ localizer, payment: { metadata } }: PageView): Html | string {
  const ignored = ignoredPlan(metadata)
  if (ignored === undefined) return ''
  const { text, near } = ignored
  return html`<p class="alert" data-ignored>${localizer.text('plan_ignored', { text: JSON.stringify(text) })} ${near !== undefined && localizer.text('plan_meant', { near })}</p>`
}

function planText({ localizer, payment: { plan } }: PageView): string {
  const outcome =
    plan.outcome === 'cut'
      ? 'succeeded'
      : plan.outcome === 'refused' || plan.outcome === 'error'
        ? 'failed'
        : plan.outcome
  const text = localizer.text(`plan_${outcome}`, { code: 'code' in plan ? plan.code : '' })
  return plan.delay === undefined
    ? text
    : localizer.text('plan_after', { plan: text, delay: localizer.duration(plan.delay) })
}

/** Describes `decided_by`, such as `magic amount 51`, `rule rul_…` or `header`. */
function decidedByText({ localizer, payment: { plan } }: PageView): string {
  const [kind = '', ...rest] = plan.decided_by.split(' ')
  const magic = rest[0] === 'amount' || rest[0] === 'description'
  const key =
    kind === 'magic' && magic
      ? `decided_by_magic_${rest.shift()}`
      : `decided_by_${kind === 'act' ? 'page_action' : kind}`
  return Object.hasOwn(PANEL_MESSAGES, key)
    ? localizer.text(key as MessageKey, { what: rest.join(' ') })
    : plan.decided_by
}
