// A rule that the handler breaks, with the smallest case that shows it.
import type { HandlerResponse } from '../audit/ports.ts'
import { dependsOnDeliveryOrder } from '../audit/probe-fields.ts'
import { adviceFor } from './advice.ts'
import type { Case, FailedEvaluation } from './evaluate-case.ts'
import type { Meanings } from './learn-meanings.ts'
import { fieldIdOf, showLeaf } from './order-fields.ts'
import type { OrderReading } from './read-probes.ts'
import { renumberCase } from './renumber-case.ts'
import { countMessages } from './schedule.ts'
import { describeStates, type StoryEvent } from './story-event.ts'
import { eventsAbout, fieldsIn, type StoryRun } from './story-run.ts'
import { ORACLES, type OracleId, type Violation } from './violation.ts'

/** One message of the smallest case. Messages of one round are sent at the same time. */
export interface FindingRow {
  readonly round: number
  readonly sent: string
  readonly response: string
  /** The probed state after the round. Empty except in the last row of the round. */
  readonly state: string
  readonly expected: string
}

/** The titles of the columns of a table of messages. */
export const TABLE_HEAD = ['sent', 'response', 'state after it', 'true state'] as const

export interface Finding extends Pick<Violation, 'cause' | 'title' | 'got' | 'expected'> {
  readonly id: OracleId
  readonly why: string
  readonly fix: string
  /** Number of messages in the smallest case. */
  readonly deliveries: number
  /** Number of operations in the story of the smallest case. */
  readonly steps: number
  /** How many times the case failed, and how many times it was sent. */
  readonly rate: { readonly failed: number; readonly of: number }
  /** False if the shrinking ended early, so that a smaller case may exist. */
  readonly shrunk: boolean
  /** All events are sent again after the rows. */
  readonly repeated: boolean
  readonly rows: readonly FindingRow[]
  readonly case: Case
  /** The probe that shows the violation. Omitted if the responses show it. */
  readonly probe?: { readonly label: string; readonly isPerOrder: boolean }
}

/** The rate of a case that was sent once. */
export const SENT_ONCE: Finding['rate'] = { failed: 1, of: 1 }

/** The default rate is that of a simple story, which is sent once and needs no shrinking. */
export function createFinding(
  { violation, case: found, inOrder, scheduled }: FailedEvaluation,
  meanings: Meanings,
  { rate, shrunk }: Pick<Finding, 'rate' | 'shrunk'> = { rate: SENT_ONCE, shrunk: true },
): Finding {
  const rule = ORACLES[violation.oracle]
  const shown = scheduled ?? inOrder
  const { oracle, cause, title, got, expected } = violation
  const { case: renumbered, names } = renumberCase(found)
  const events = shown?.enacted.events ?? []
  // The run was broken off, because the handler crashed or hangs, so the rest of the case was not sent.
  const isBrokenOff = shown?.result.broken !== undefined
  const rows = shown === undefined ? [] : rowsOf(shown, meanings, names)
  return {
    id: oracle,
    cause,
    title,
    got,
    expected,
    why: violation.why ?? rule.why,
    fix: violation.fix ?? adviceFor(oracle, found, events) ?? rule.fix,
    deliveries: isBrokenOff ? rows.length : countMessages(found.schedule) + (found.resendsAll ? events.length : 0),
    steps: found.story.steps.length,
    rate,
    shrunk,
    repeated: found.resendsAll && !isBrokenOff,
    rows,
    case: renumbered,
    ...(violation.probe !== undefined && {
      probe: { label: violation.probe, isPerOrder: violation.order !== undefined },
    }),
  }
}

/** @param names the new name of each object of the story */
function rowsOf(storyRun: StoryRun, meanings: Meanings, names: ReadonlyMap<string, string>): FindingRow[] {
  const { enacted, result } = storyRun
  const byKey = new Map(enacted.events.map((event) => [event.key, event]))
  return result.rounds.flatMap(({ messages, readings, accepted }, at) => {
    const state = readings.map((reading) => stateText(reading, storyRun, meanings)).join('; ')
    const expected = readings.map((reading) => describeStates(eventsAbout(reading, accepted)) || '-').join('; ')
    return messages.map(({ event, response }, within) => {
      const isLast = within === messages.length - 1
      const found = byKey.get(event)
      return {
        round: at + 1,
        sent: found === undefined ? event : describeEvent(found, names.get(found.object) ?? found.object),
        response: responseText(response),
        state: isLast ? state : '',
        expected: isLast ? expected : '',
      }
    })
  })
}

/** Returns a word or two instead of the error message, because the table is narrow. */
function responseText({ status, code, error }: HandlerResponse): string {
  if (error === undefined) return String(status)
  if (status !== undefined) return `${status}, ${code === 'ETIMEDOUT' ? 'no end' : 'broken off'}`
  return ERRORS[code ?? ''] ?? 'closed'
}

const ERRORS: { readonly [code: string]: string } = {
  ETIMEDOUT: 'none in time',
  ECONNREFUSED: 'refused',
  ABANDONED: 'lost',
}

/** Returns sentences about the case that its rows do not show. */
export function notesOf({ repeated, shrunk }: Finding): string[] {
  return [
    ...(repeated ? ['Then all events are sent again.'] : []),
    ...(shrunk ? [] : ['The case was not fully shrunk, so a smaller one may exist.']),
  ]
}

/** Returns the rows as lines of a table. Consecutive rounds with the same message and result become one line. */
export function linesOf(
  rows: readonly FindingRow[],
): readonly (Omit<FindingRow, 'round'> & { readonly label: string })[] {
  const lines: { first: FindingRow; last: FindingRow; isTogether: boolean }[] = []
  for (const [at, row] of rows.entries()) {
    const isTogether = rows[at - 1]?.round === row.round
    const isAlone = !isTogether && rows[at + 1]?.round !== row.round
    const before = lines.at(-1)
    if (isAlone && before?.isTogether === false && isSameRow(before.last, row)) before.last = row
    else lines.push({ first: row, last: row, isTogether: isTogether || !isAlone })
  }
  return lines.map(({ first, last, isTogether }, at) => {
    const { round, ...row } = first
    const isFollowing = isTogether && lines[at - 1]?.first.round === round
    return { ...row, label: isFollowing ? '+' : last === first ? String(round) : `${round}-${last.round}` }
  })
}

function isSameRow(one: FindingRow, other: FindingRow): boolean {
  const keys = ['sent', 'response', 'state', 'expected'] as const
  return keys.every((key) => one[key] === other[key])
}

/** Describes an event as `payment.refunded p1 (300.00 of 1000.00 refunded)`. */
function describeEvent({ name, order, snapshot, refundFailed }: StoryEvent, object: string): string {
  const { amount, refunded } = snapshot
  const failed = refundFailed ? 'a refund failed, ' : ''
  const refunds = `${failed}${major(refunded)} of ${major(amount)} refunded`
  const sum = name === 'payment.refunded' ? ` (${refunds})` : ` (${major(amount)})`
  return `${name} ${object}${order === 'unrelated' ? ' of another order' : ''}${sum}`
}

function major(amount: number): string {
  return (amount / 100).toFixed(2)
}

const MAX_FIELDS = 4

/** Returns fields as text: those that show a state or a sum or, if there are none, the first ones. */
function stateText(reading: OrderReading, storyRun: StoryRun, meanings: Meanings): string {
  const fields = [...fieldsIn(reading, storyRun, meanings)]
  const known = fields.filter(([path]) => {
    const id = fieldIdOf(reading.probe, path)
    return meanings.states.has(id) || meanings.numbers.has(id)
  })
  const shown = (known.length > 0 ? known : fields.filter(([path]) => !dependsOnDeliveryOrder(path))).slice(
    0,
    MAX_FIELDS,
  )
  if (shown.length === 0) return '(nothing)'
  return shown
    .map(([path, leaf]) => (path === '$' ? showLeaf(leaf) : `${path.replace(/^\$\./, '')}=${showLeaf(leaf)}`))
    .join(' ')
}
