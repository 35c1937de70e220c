// The sandbox's panel, the view of the developer: the plan and its reason, controls to change it, and what happened.
import { html } from 'hono/html'
import type { Payment } from '../../../domain/payment.ts'
import { hasBuyer } from '../../../domain/payment-methods.ts'
import { isFinalPayment } from '../../../domain/payment-states.ts'
import { icon } from './icons.ts'
import type { Html, PageView } from './page-view.ts'
import { arrivalOrderOptions, copies, outcomeForm } from './panel-controls.ts'
import { commandText, history } from './panel-history.ts'
import { decidedByText, faultTexts, finalStatusText, ignoredText, planText, shortPlan } from './panel-texts.ts'
import { inlineCode } from './text.ts'

export function panel(view: PageView): Html {
  const { localizer, payment, clock, faults, query } = view
  const { text } = localizer
  const over = isFinalPayment(payment.status)
  return html`<aside class="sandbox" aria-label="${text('panel')}" data-history-version="${view.historyVersion}">${buyerNote(view)}<details class="panel" data-keep="panel" ${query.panel || query.dropped ? html`open` : ''}><summary>${icon('flask')}<span>${text('panel')}</span>${!over && clock.speed === 0 && html`<span class="badge">${text('frozen')}</span>`}<span class="plan plan-${over ? toneOf(payment) : 'open'}">${text(over ? 'status' : 'plan')}: ${over ? finalStatusText(payment) : shortPlan(view)}</span>${icon('next')}</summary>
<div class="panel-body">
${doneText(view)}
<dl class="facts">
<div><dt>${text('planned')}</dt><dd data-plan>${planText(view)}</dd></div>
<div><dt>${text('decided_by')}</dt><dd data-why>${inlineCode(decidedByText(view))}</dd></div>
${!over && faults.length > 0 && html`<div><dt>${text('pending_faults')}</dt><dd>${faultTexts(view).map((each) => html`<span class="fault" data-fault>${each}</span>`)}</dd></div>`}
</dl>
${ignoredText(view)}
${clock.speed === 0 && isWaiting(view) && html`<p class="alert">${inlineCode(text('clock_frozen'))}</p>`}
${query.dropped && html`<p class="alert">${text('dropped')}</p>`}
${over ? html`<p>${text('is_final', { status: finalStatusText(payment) })}</p>` : outcomeForm(view)}
${history(view)}
${!over && arrivalOrderOptions(view)}
${copies(view)}
<p class="quiet">${text('panel_hint')}</p>
</div></details></aside>`
}

/** Whether something will happen when the clock moves: a change of the payment, or another attempt of a webhook. */
function isWaiting({ payment, history }: PageView): boolean {
  return !isFinalPayment(payment.status) || history.some(({ kind }) => kind === 'next')
}

/** Describes what the last command of the panel did. */
function doneText(view: PageView): Html | string {
  const last = view.history.findLast((entry) => entry.kind === 'command')
  if (last?.kind !== 'command') return ''
  return html`<p class="done" role="status" data-done>${icon('check')}${view.localizer.text('done', { did: commandText(last, view) })}</p>`
}

/** Explains why the buyer has nothing to do on this page. */
function buyerNote({ localizer, payment }: PageView): Html | string {
  const { status, method, plan, page_opened_at, session_by_act } = payment
  if (status === 'processing' && session_by_act === true) return noteOf(localizer.text('session_opened_by_command'))
  const unattended = page_opened_at === undefined && hasBuyer(method) && plan.outcome !== 'refused'
  const endedInSession = isFinalPayment(status) && status !== 'cancelled' && payment.processing_until !== undefined
  return unattended && endedInSession ? noteOf(localizer.text('unattended')) : ''
}

function noteOf(text: string): Html {
  return html`<p class="sandbox-note" data-note>${inlineCode(text)}</p>`
}

function toneOf({ status }: Payment): 'succeeded' | 'failed' | 'other' {
  return status === 'succeeded' || status === 'failed' ? status : 'other'
}
