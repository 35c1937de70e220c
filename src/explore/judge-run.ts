// The oracles: each judges one run, or compares a run with the in-order run of its story.

import { judgeAvailability } from './judge-availability.ts'
import { numberIssue, shopIssue } from './judge-money.ts'
import { createStateFilter, judgeStateRegression, stateIssue } from './judge-state.ts'
import type { Meanings } from './learn-meanings.ts'
import { fieldIdOf, showLeaf, unexpectedDifferences } from './order-fields.ts'
import { totalsOf } from './story-event.ts'
import { eventsAbout, fieldsIn, type StoryRun, sameReading } from './story-run.ts'
import type { Violation } from './violation.ts'

type Judge = (storyRun: StoryRun, meanings: Meanings) => Violation | undefined

/** Returns the first broken rule of one run. */
export function judgeRun(storyRun: StoryRun, meanings: Meanings): Violation | undefined {
  return RUN_JUDGES.reduce<Violation | undefined>((found, judge) => found ?? judge(storyRun, meanings), undefined)
}

const RUN_JUDGES: readonly Judge[] = [
  judgeAvailability,
  judgeIdempotence,
  judgeIsolation,
  judgeStateRegression,
  judgeMoney,
  judgeTruth,
]

function judgeIdempotence(storyRun: StoryRun, meanings: Meanings): Violation | undefined {
  const { end, afterResend } = storyRun.result
  for (const reading of afterResend ?? []) {
    const earlier = sameReading(reading, end)
    if (earlier === undefined) continue
    const [before, after] = [fieldsIn(earlier, storyRun, meanings), fieldsIn(reading, storyRun, meanings)]
    const events = eventsAbout(reading, storyRun.enacted.events)
    const isAllowed = createStateFilter(reading, events, [before, after], meanings)
    const path = unexpectedDifferences(before, after).find((one) => !isAllowed(one))
    if (path === undefined) continue
    return {
      oracle: 'idempotence',
      cause: `idempotence ${fieldIdOf(reading.probe, path)}`,
      title: `The same events change ${path} of ${reading.probe} when they are sent again.`,
      got: showLeaf(after.get(path)),
      expected: showLeaf(before.get(path)),
      order: reading.order,
      probe: reading.probe,
    }
  }
  return undefined
}

/**
 * If each event of the unrelated order was sent once, only events of the main order can have made the state of the
 * unrelated order wrong.
 */
function judgeIsolation(storyRun: StoryRun, meanings: Meanings): Violation | undefined {
  if (!isUnrelatedOrderSentOnce(storyRun)) return undefined
  const found = stateIssue(storyRun, meanings, 'unrelated') ?? numberIssue(storyRun, meanings, 'unrelated')
  if (found === undefined) return undefined
  return {
    ...found,
    oracle: 'isolation',
    cause: `isolation ${found.cause}`,
    title: `Events of one order change another order. ${found.title}`,
  }
}

function isUnrelatedOrderSentOnce({ enacted, schedule }: StoryRun): boolean {
  const unrelated = enacted.events.filter(({ order }) => order === 'unrelated').map(({ key }) => key)
  const sent = schedule.flat().filter(({ event }) => unrelated.includes(event))
  const isAlone = enacted.events.length === unrelated.length
  return (
    !isAlone &&
    sent.length === unrelated.length &&
    sent.every(({ copies, response_lost }) => copies === 1 && response_lost !== true)
  )
}

function judgeTruth(storyRun: StoryRun, meanings: Meanings): Violation | undefined {
  return stateIssue(storyRun, meanings, 'main') ?? stateIssue(storyRun, meanings, 'unrelated')
}

function judgeMoney(storyRun: StoryRun, meanings: Meanings): Violation | undefined {
  return (
    shopIssue(storyRun.shop, totalsOf(storyRun.enacted.events), meanings) ??
    numberIssue(storyRun, meanings, 'main') ??
    numberIssue(storyRun, meanings, 'unrelated')
  )
}

/** Compares the end of the scheduled run with the end of the in-order run. */
export function judgeBothRuns(inOrder: StoryRun, scheduled: StoryRun, meanings: Meanings): Violation | undefined {
  for (const reading of scheduled.result.end) {
    const other = sameReading(reading, inOrder.result.end)
    if (other === undefined) continue
    const [right, got] = [fieldsIn(other, inOrder, meanings), fieldsIn(reading, scheduled, meanings)]
    const isJudgedByState = (path: string) => meanings.states.has(fieldIdOf(reading.probe, path))
    const path = unexpectedDifferences(right, got).find((one) => !isJudgedByState(one))
    if (path === undefined) continue
    const isIsolation = reading.order === 'unrelated' && isUnrelatedOrderSentOnce(scheduled)
    return {
      oracle: isIsolation ? 'isolation' : 'convergence',
      cause: `${isIsolation ? 'isolation' : 'convergence'} ${fieldIdOf(reading.probe, path)}`,
      title: `In a different delivery order, the same events end with ${path} of ${reading.probe} = ${showLeaf(got.get(path))}, not ${showLeaf(right.get(path))}.`,
      got: `${path}: ${showLeaf(got.get(path))}`,
      expected: `${path}: ${showLeaf(right.get(path))}, as in order`,
      order: reading.order,
      probe: reading.probe,
    }
  }
  return undefined
}
