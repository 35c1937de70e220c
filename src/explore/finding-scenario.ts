// A case as the steps of a scenario, so that `psp trigger FILE` replays it against an application.
import type { Case } from './evaluate-case.ts'
import type { Round } from './schedule.ts'
import { eventKeyOf, RECIPIENT, refundAmount, type Story, type StoryStep } from './story.ts'

export interface ScenarioStep {
  readonly id?: string
  readonly do: string
  readonly with: { readonly [field: string]: unknown }
}

/** Values that a story does not contain. */
export interface ScenarioDetails {
  /** The id of the main order. */
  readonly order?: string
  /** The failure codes of declined payments, by the names of the payments. */
  readonly failureCodes?: ReadonlyMap<string, string>
}

/** Returns steps that hold all webhooks, perform the story, and deliver its events as the schedule says. */
export function scenarioSteps({ story, schedule, resendsAll }: Case, details: ScenarioDetails = {}): ScenarioStep[] {
  const refs = eventRefs(story.steps)
  const all = [...refs.keys()].map((event) => [{ event, copies: 1 }])
  return [
    { id: 'hold', do: 'faults.add', with: { target: 'webhook', fault: 'hold' } },
    ...story.steps.flatMap((step) => storySteps(step, story, details)),
    ...[...schedule, ...(resendsAll ? all : [])].map((round) => deliverStep(round, refs)),
    { do: 'faults.remove', with: { id: result('hold.id') } },
  ]
}

/** Returns a reference to the result of a step. */
function result(path: string): string {
  return `\${${path}}`
}

function storySteps(step: StoryStep, { amounts, steps }: Story, details: ScenarioDetails): ScenarioStep[] {
  switch (step.do) {
    case 'create': {
      const order_id = (step.order === 'main' ? details.order : undefined) ?? `found-${step.order}`
      const fields = { amount: amounts[step.order], method: 'sbp', order_id, outcome: 'requires_action' }
      return [{ id: step.payment, do: 'payments.create', with: fields }]
    }
    case 'pay':
      return [{ do: 'payments.pay', with: { id: paymentId(step.payment) } }]
    case 'decline': {
      const failure_code = details.failureCodes?.get(step.payment) ?? 'insufficient_funds'
      return [{ do: 'payments.decline', with: { id: paymentId(step.payment), failure_code } }]
    }
    case 'expire':
      return [{ do: 'payments.act', with: { id: paymentId(step.payment), action: 'expire' } }]
    case 'cancel':
      return [{ do: 'payments.cancel', with: { id: paymentId(step.payment) } }]
    case 'refund': {
      const created = steps.find((one) => one.do === 'create' && one.payment === step.payment)
      const whole = amounts[created?.do === 'create' ? created.order : 'main']
      const amount = refundAmount(step.percent, whole)
      return [
        {
          id: step.refund,
          do: 'payments.refund',
          with: { id: paymentId(step.payment), amount, outcome: OUTCOMES[step.result] },
        },
      ]
    }
    case 'settle':
      return [{ do: 'refunds.settle', with: { id: result(`${step.refund}.id`), status: step.result } }]
    case 'payout':
      return [
        {
          id: step.payout,
          do: 'payouts.create',
          with: { amount: amounts.main, ...RECIPIENT, outcome: 'pending' },
        },
        { do: 'payouts.settle', with: { id: payoutId(step.payout), status: step.result } },
      ]
  }
}

const OUTCOMES = { succeeded: 'succeeded', failed: 'failed:processing_error', pending: 'pending' } as const

const paymentId = (name: string) => result(`${name}.payment.id`)
const payoutId = (name: string) => result(`${name}.payout.id`)

interface EventRef {
  readonly event: string
  readonly object_id: string
  /** The position among the events with this name about this object. */
  readonly at: number
}

const EVENTS = {
  pay: 'payment.succeeded',
  decline: 'payment.failed',
  expire: 'payment.expired',
  cancel: 'payment.cancelled',
  refund: 'payment.refunded',
} as const

/** Returns how a step `deliver` refers to each event of the story. */
function eventRefs(steps: readonly StoryStep[]): ReadonlyMap<string, EventRef> {
  const refs = new Map<string, EventRef>()
  for (const step of steps) {
    if (step.do === 'create' || step.do === 'settle') continue
    const [event, object_id] =
      step.do === 'payout'
        ? [`payout.${step.result}`, payoutId(step.payout)]
        : [EVENTS[step.do], paymentId(step.payment)]
    const at = [...refs.values()].filter((ref) => ref.event === event && ref.object_id === object_id).length
    refs.set(eventKeyOf(step), { event, object_id, at })
  }
  return refs
}

function deliverStep(round: Round, refs: ReadonlyMap<string, EventRef>): ScenarioStep {
  const copies = Math.max(...round.map((one) => (one.response_lost === true ? 2 : one.copies)))
  const events = round.map(({ event }) => refs.get(event))
  const together = round.length > 1 || (copies > 1 && round.every(({ response_lost }) => response_lost !== true))
  return { do: 'deliver', with: { events, ...(copies > 1 && { copies }), ...(together && { together }) } }
}
