// The texts of the panel about the plan, its source, and pending faults.
import { html } from 'hono/html'
import type { Fault } from '../../../domain/faults.ts'
import type { Payment } from '../../../domain/payment.ts'
import { formatPlan, ignoredPlan, plannedOutcome, type StoredPlan } from '../../../domain/simulator-plan.ts'
import { canCardOverride } from '../../../engine/choose-plan.ts'
import type { MessageKey } from '../localizer.ts'
import { isArrivalOrderFault } from '../panel-faults.ts'
import { PANEL_MESSAGES } from '../panel-messages.ts'
import type { Html, PageView } from './page-view.ts'

/** Returns the status and the failure codes: `failed, do_not_honor, I05005`. */
export function finalStatusText({ status, metadata }: Payment): string {
  return [status, metadata['failure_code'], metadata['bank_failure_code']].filter(Boolean).join(', ')
}

/**
 * Returns the payment's plan. While the bank waits for the one-time code, returns the test card's plan for the right
 * code, unless the payment's plan takes precedence.
 */
function decidingPlan({ payment: { plan }, confirming }: PageView): StoredPlan {
  if (confirming === undefined || !canCardOverride(plan)) return plan
  return { ...confirming.threeDs.confirmed, decided_by: 'confirmed_card' }
}

/** Returns the plan in one or two words: `failed:card_lost`, or in Russian `откажет, card_lost`. */
export function shortPlan(view: PageView): string {
  const { localizer } = view
  const plan = decidingPlan(view)
  return localizer.text(`plan_short_${plannedOutcome(plan)}`, {
    code: 'code' in plan ? plan.code : '',
    plan: formatPlan(plan),
  })
}

/**
 * Returns a text for each fault. The panel can delay the webhook until after the buyer's return. For this it adds one
 * fault for each event that can end a payment. These faults are listed as one.
 */
export function faultTexts(view: PageView): string[] {
  return [
    ...new Set(
      view.faults.map((fault) =>
        isArrivalOrderFault(fault, view.payment) ? `${fault.target} ${fault.fault}` : faultText(fault, view),
      ),
    ),
  ]
}

/** `redirect drop, if status=failed, times left: 2`: the fault, its conditions, and how often it can still apply. */
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
export function ignoredText({ localizer, payment: { metadata } }: PageView): Html | string {
  const ignored = ignoredPlan(metadata)
  if (ignored === undefined) return ''
  const { text, closest } = ignored
  return html`<p class="alert" data-ignored>${localizer.text('plan_ignored', { text: JSON.stringify(text) })} ${closest !== undefined && localizer.text('plan_meant', { near: closest })}</p>`
}

export function planText(view: PageView): string {
  const { localizer } = view
  const plan = decidingPlan(view)
  const text = localizer.text(`plan_${plannedOutcome(plan)}`, { code: 'code' in plan ? plan.code : '' })
  return plan.delay === undefined
    ? text
    : localizer.text('plan_after', { plan: text, delay: localizer.duration(plan.delay) })
}

/** Describes `decided_by`, such as `magic amount 51`, `rule rul_…` or `header`. `act` is an action on the page. */
export function decidedByText(view: PageView): string {
  const { localizer } = view
  const plan = decidingPlan(view)
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
