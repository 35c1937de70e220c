// Judges the fields that show the state of an order: the events of the order must allow this state.
import type { Fields, Leaf } from '../audit/probe-fields.ts'
import type { Meanings } from './learn-meanings.ts'
import { fieldIdOf, showLeaf } from './order-fields.ts'
import type { OrderReading } from './read-probes.ts'
import type { SentRound } from './run-schedule.ts'
import type { OrderName } from './story.ts'
import { allowedStates, describeStates, type StoryEvent } from './story-event.ts'
import { eventsAbout, fieldsIn, type StoryRun, sameReading } from './story-run.ts'
import type { Violation } from './violation.ts'

/** Compares the fields that show the state with the values that the simple stories showed. */
export function stateIssue(storyRun: StoryRun, meanings: Meanings, order: OrderName): Violation | undefined {
  for (const reading of storyRun.result.end.filter((one) => one.order === order)) {
    const events = eventsAbout(reading, storyRun.enacted.events)
    const fields = fieldsIn(reading, storyRun, meanings)
    const [wrong] = wrongStates(reading, events, fields, meanings)
    const path = wrong ?? falseRefund(events, fields)
    if (path === undefined) continue
    // The simple stories showed the same false refund, so their value is not the expected one.
    const expected = wrong === undefined ? [] : expectedLeaves(reading.probe, path, events, meanings)
    return {
      oracle: 'truth',
      cause: `state ${fieldIdOf(reading.probe, path)} ${showLeaf(fields.get(path))}`,
      title: `${reading.probe}: ${path} is ${showLeaf(fields.get(path))}, but the order is ${describeStates(events)}.`,
      got: `${path}: ${showLeaf(fields.get(path))}`,
      expected: `${path}: ${expected.length === 0 ? describeStates(events) : expected.map(showLeaf).join(' or ')}`,
      order,
      probe: reading.probe,
    }
  }
  return undefined
}

/** Returns the paths whose value belongs to none of the allowed states. */
function wrongStates(
  reading: OrderReading,
  events: readonly StoryEvent[],
  fields: Fields,
  { states }: Meanings,
): string[] {
  const allowed = allowedStates(events)
  if (allowed.length === 0) return []
  return [...states].flatMap(([id, byState]) => {
    const path = id.slice(reading.probe.length + 1)
    if (!id.startsWith(`${reading.probe} `)) return []
    const isKnown = allowed.every((state) => byState.has(state))
    return isKnown && allowed.every((state) => byState.get(state) !== fields.get(path)) ? [path] : []
  })
}

function expectedLeaves(
  probe: string,
  path: string,
  events: readonly StoryEvent[],
  { states }: Meanings,
): (Leaf | undefined)[] {
  const byState = states.get(fieldIdOf(probe, path))
  return byState === undefined ? [] : [...new Set(allowedStates(events).map((state) => byState.get(state)))]
}

/** Returns the path of a status field that is `refunded`, although the order is paid or only partly refunded. */
function falseRefund(events: readonly StoryEvent[], fields: Fields): string | undefined {
  if (allowedStates(events).some((state) => state !== 'part_refunded' && state !== 'paid')) return undefined
  return [...fields].find(
    ([path, leaf]) =>
      /(status|state)$/i.test(path) && !path.includes('[') && !path.includes('{') && /^refunded$/i.test(String(leaf)),
  )?.[0]
}

/** Finds a round whose events changed a correct state to a wrong one. */
export function judgeStateRegression(storyRun: StoryRun, meanings: Meanings): Violation | undefined {
  const { rounds } = storyRun.result
  for (let at = 1; at < rounds.length; at++) {
    const round = rounds[at] as SentRound
    for (const reading of round.readings) {
      const earlier = sameReading(reading, rounds[at - 1]?.readings ?? [])
      const events = eventsAbout(reading, round.accepted)
      if (earlier === undefined || earlier.text === reading.text || events.length === 0) continue
      const [before, after] = [fieldsIn(earlier, storyRun, meanings), fieldsIn(reading, storyRun, meanings)]
      const wrongBefore = new Set(wrongStates(earlier, events, before, meanings))
      const path = wrongStates(reading, events, after, meanings).find((one) => !wrongBefore.has(one))
      if (path === undefined) continue
      const kinds = [
        ...new Set(round.messages.map(({ event }) => storyRun.enacted.events.find(({ key }) => key === event)?.name)),
      ]
      return {
        oracle: 'no_way_back',
        cause: `state ${fieldIdOf(reading.probe, path)} ${showLeaf(after.get(path))}`,
        title: `${kinds.join(' and ')} ${kinds.length > 1 ? 'change' : 'changes'} ${path} of ${reading.probe} from ${showLeaf(before.get(path))} to ${showLeaf(after.get(path))}.`,
        got: `${path}: ${showLeaf(after.get(path))}`,
        expected: `${path}: ${expectedLeaves(reading.probe, path, events, meanings).map(showLeaf).join(' or ')}`,
        order: reading.order,
        probe: reading.probe,
      }
    }
  }
  return undefined
}

/** Returns a filter for paths that show an allowed state in each reading. A change between these is not an error. */
export function createStateFilter(
  { probe }: OrderReading,
  events: readonly StoryEvent[],
  readings: readonly Fields[],
  { states }: Meanings,
): (path: string) => boolean {
  const allowed = allowedStates(events)
  return (path) => {
    const byState = states.get(fieldIdOf(probe, path))
    return (
      byState !== undefined &&
      readings.every((fields) => allowed.some((state) => byState.get(state) === fields.get(path)))
    )
  }
}
