// A fault that was found, with the smallest case that shows it.
import { dependsOnOrder } from '../audit/value.ts'
import type { Case, Evaluation } from './evaluate-case.ts'
import type { Meanings } from './learn-meanings.ts'
import { fieldIdOf, showLeaf } from './order-fields.ts'
import { countDeliveries } from './schedule.ts'
import { allowedStates } from './story-event.ts'
import { eventsAbout, fieldsIn, type Twin } from './twin.ts'
import { ORACLES, type OracleId, type Violation } from './violation.ts'

/** One message of the smallest case. Messages of one round are sent at the same time. */
export interface FindingRow {
  readonly round: number
  readonly sent: string
  readonly response: string
  /** The probed state after the round. Empty except in its last row. */
  readonly state: string
  readonly expected: string
}

export interface Finding {
  readonly id: OracleId
  readonly cause: string
  /** One sentence that says what is wrong. */
  readonly title: string
  readonly got: string
  readonly expected: string
  readonly why: string
  readonly fix: string
  /** Number of messages in the smallest case. */
  readonly deliveries: number
  /** Number of operations in its story. */
  readonly steps: number
  /** How often the case failed, and how often it was sent. */
  readonly rate: { readonly failed: number; readonly of: number }
  /** False if the shrinking of the case was broken off, so that a smaller one may exist. */
  readonly shrunk: boolean
  readonly rows: readonly FindingRow[]
  readonly case: Case
}

export function createFinding(
  violation: Violation,
  { case: found, inOrder, scheduled }: Evaluation,
  meanings: Meanings,
  { rate, shrunk }: Pick<Finding, 'rate' | 'shrunk'>,
): Finding {
  const { why, fix } = ORACLES[violation.oracle]
  const shown = scheduled ?? inOrder
  const { oracle, cause, title, got, expected } = violation
  const events = shown?.enacted.events.length ?? 0
  return {
    id: oracle,
    cause,
    title,
    got,
    expected,
    why,
    fix: violation.fix ?? rejectionFix(shown) ?? fix,
    deliveries: countDeliveries(found.schedule) + (found.again ? events : 0),
    steps: found.story.steps.length,
    rate,
    shrunk,
    rows: shown === undefined ? [] : rowsOf(shown, meanings),
    case: found,
  }
}

/** A handler that refuses even the first payment verifies another signature. */
function rejectionFix(twin: Twin | undefined): string | undefined {
  const attempts = twin?.result.rounds.flatMap((round) => round.attempts) ?? []
  const areRejected =
    attempts.length > 0 && attempts.every(({ response }) => [400, 401, 403].includes(response.status ?? 0))
  return areRejected
    ? 'The handler refuses every event. Check the secret: run psp audit without --explore first.'
    : undefined
}

function rowsOf(twin: Twin, meanings: Meanings): FindingRow[] {
  const { enacted, result } = twin
  const byKey = new Map(enacted.events.map((event) => [event.key, event]))
  return result.rounds.flatMap(({ attempts, readings, accepted }, at) => {
    const state = readings.map((reading) => stateText(reading, twin, meanings)).join('; ')
    const expected = readings.map((reading) => allowedStates(eventsAbout(reading, accepted)).join(' or ')).join('; ')
    return attempts.map(({ event, response }, within) => {
      const isLast = within === attempts.length - 1
      const found = byKey.get(event)
      return {
        round: at + 1,
        sent: found === undefined ? event : describeEvent(found),
        response: response.error ?? String(response.status),
        state: isLast ? state : '',
        expected: isLast ? expected : '',
      }
    })
  })
}

/** Returns `payment.refunded p1 (300.00 of 1000.00 refunded)`. */
function describeEvent({ name, object, order, snapshot }: Twin['enacted']['events'][number]): string {
  const { amount, refunded } = snapshot
  const sum = name === 'payment.refunded' ? ` (${major(refunded)} of ${major(amount)} refunded)` : ` (${major(amount)})`
  return `${name} ${object}${order === 'control' ? ' of another order' : ''}${sum}`
}

function major(amount: number): string {
  return (amount / 100).toFixed(2)
}

const MAX_FIELDS = 4

/** Returns the fields that show the state, or the first fields. */
function stateText(reading: Parameters<typeof fieldsIn>[0], twin: Twin, meanings: Meanings): string {
  const fields = [...fieldsIn(reading, twin, meanings)]
  const known = fields.filter(([path]) => {
    const id = fieldIdOf(reading.probe, path)
    return meanings.states.has(id) || meanings.numbers.has(id)
  })
  const shown = (known.length > 0 ? known : fields.filter(([path]) => !dependsOnOrder(path))).slice(0, MAX_FIELDS)
  if (shown.length === 0) return '(nothing)'
  return shown
    .map(([path, leaf]) => (path === '$' ? showLeaf(leaf) : `${path.replace(/^\$\./, '')}=${showLeaf(leaf)}`))
    .join(' ')
}
