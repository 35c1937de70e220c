// Checks whether the probes show refunds. If a handler ignores refunds, its behaviour would be learned as the correct
// one, and the exploration could not find the bug.

import { type Fields, type Leaf, numberOf } from '../audit/probe-fields.ts'
import { HANDLE_REFUNDS, isBalance, isRefundedAmount } from '../audit/refund-fields.ts'
import { type Meanings, numberChanges } from './learn-meanings.ts'
import { fieldsOfReading, unexpectedDifferences } from './order-fields.ts'
import { isSameNumber } from './quantities.ts'
import { allowedStates, type OrderState, totalsOf } from './story-event.ts'
import { type StoryRun, sameReading } from './story-run.ts'
import type { Violation } from './violation.ts'

const REFUNDS = [
  { state: 'refunded', name: 'full refund', kindText: 'refunds' },
  { state: 'part_refunded', name: 'partial refund', kindText: 'partial refunds' },
] as const satisfies readonly { readonly state: OrderState; readonly name: string; readonly kindText: string }[]

export interface UnseenRefund {
  /** The kind of refund that has no visible effect, for a message. */
  readonly kindText: (typeof REFUNDS)[number]['kindText']
  /** The lesson with the refund. */
  readonly lesson: StoryRun
  /**
   * Set if a field does not change although its name says that it shows refunds. Otherwise the handler may be right.
   */
  readonly violation?: Violation
}

/**
 * Compares a paid order with a refunded one. Returns a refund that no probe shows, or that does not change a field
 * whose name says that it shows refunds.
 */
export function findUnseenRefund(lessons: readonly StoryRun[], { volatile }: Meanings): UnseenRefund | undefined {
  const paid = lessonOf(lessons, 'paid')
  if (paid === undefined) return undefined
  const found = REFUNDS.flatMap(({ state, name, kindText }): UnseenRefund[] => {
    const lesson = lessonOf(lessons, state)
    if (lesson === undefined) return []
    const violation = stuckField(lesson, paid, volatile, name)
    if (violation !== undefined) return [{ kindText, lesson, violation }]
    return isVisible(lesson, paid, volatile) ? [] : [{ kindText, lesson }]
  })
  return found.find(({ violation }) => violation !== undefined) ?? found[0]
}

function lessonOf(lessons: readonly StoryRun[], state: OrderState): StoryRun | undefined {
  return lessons.find(({ enacted }) => allowedStates(enacted.events)[0] === state)
}

function isVisible(lesson: StoryRun, paid: StoryRun, volatile: ReadonlySet<string>): boolean {
  const isOfOrder = pairsOf(lesson, paid, volatile).some(
    ({ after, before }) => unexpectedDifferences(before, after).length > 0,
  )
  return isOfOrder || shopPairs(lesson, paid).some(({ by, paidBy }) => !isSameNumber(by, paidBy))
}

/** Returns the violation of a field that, by its name, should show the refund, but did not change. */
function stuckField(
  lesson: StoryRun,
  paid: StoryRun,
  volatile: ReadonlySet<string>,
  refund: string,
): Violation | undefined {
  const { received, refunded } = totalsOf(lesson.enacted.events)
  for (const { probe, path, by, paidBy } of shopPairs(lesson, paid)) {
    if (!isBalance(path) || by === 0 || !isSameNumber(by, paidBy)) continue
    const name = `${path} of ${probe}`
    const expected = Math.round(by * (1 - refunded / received) * 100) / 100
    return {
      ...violationOf(probe, path, refund),
      got: `${name} changed by ${by}, as without the refund`,
      expected: `${name} changes by ${expected}`,
    }
  }
  for (const { probe, before, after } of pairsOf(lesson, paid, volatile)) {
    const path = [...after.keys()].find(
      (one) => isRefundedAmount(one) && isNone(after.get(one)) && isNone(before.get(one)),
    )
    if (path === undefined) continue
    const expected = typeof after.get(path) === 'boolean' ? 'true' : `${refunded}, or ${refunded / 100} in major units`
    return {
      ...violationOf(probe, path, refund),
      got: `${path}: ${after.get(path)}`,
      expected: `${path}: ${expected}`,
      order: 'main',
    }
  }
  return undefined
}

function violationOf(probe: string, path: string, refund: string) {
  return {
    oracle: 'money',
    cause: `money ignores a ${refund}`,
    title: `A ${refund} does not change ${path} of ${probe}.`,
    probe,
    fix: HANDLE_REFUNDS,
  } as const
}

/** Returns whether the value says that nothing was refunded. */
function isNone(leaf: Leaf | undefined): boolean {
  return leaf === false || numberOf(leaf) === 0
}

/** Returns the fields of each probe of an order: `before` without the refund, `after` with it. */
function pairsOf(
  lesson: StoryRun,
  paid: StoryRun,
  volatile: ReadonlySet<string>,
): { readonly probe: string; readonly before: Fields; readonly after: Fields }[] {
  return lesson.result.end.flatMap((reading) => {
    const other = sameReading(reading, paid.result.end)
    if (other === undefined) return []
    const before = fieldsOfReading(other, { sentIds: paid.sentIds, volatile })
    return [{ probe: reading.probe, before, after: fieldsOfReading(reading, { sentIds: lesson.sentIds, volatile }) }]
  })
}

/** Returns by how much each number of the shop changed: `by` with the refund, `paidBy` without it. */
function shopPairs(
  lesson: StoryRun,
  paid: StoryRun,
): { readonly probe: string; readonly path: string; readonly by: number; readonly paidBy: number }[] {
  return lesson.shop.flatMap((reading) => {
    const other = paid.shop.find(({ probe }) => probe === reading.probe)
    if (other === undefined) return []
    const paidChanges = numberChanges(other)
    return [...numberChanges(reading)].flatMap(([path, by]) => {
      const paidBy = paidChanges.get(path)
      return paidBy === undefined ? [] : [{ probe: reading.probe, path, by, paidBy }]
    })
  })
}
