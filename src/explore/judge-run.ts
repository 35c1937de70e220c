// The oracles that judge one run against the true end of its story.
import type { Fields, Leaf } from '../audit/value.ts'
import type { Meanings } from './learn-meanings.ts'
import { numberChanges } from './learn-meanings.ts'
import { dependsOnOrder, fieldIdOf, numberOf, showLeaf, unexpectedDifferences } from './order-fields.ts'
import { isSameNumber, type Measure } from './quantities.ts'
import type { OrderReading } from './read-orders.ts'
import type { PlayedRound } from './run-schedule.ts'
import { allowedStates, type StoryEvent, totalsOf } from './story-event.ts'
import { eventsAbout, fieldsIn, sameReading, type Twin } from './twin.ts'
import type { Violation } from './violation.ts'

type Judge = (twin: Twin, meanings: Meanings) => Violation | undefined

/** Returns the first broken rule of one run. */
export function judgeRun(twin: Twin, meanings: Meanings): Violation | undefined {
  return RUN_JUDGES.reduce<Violation | undefined>((found, judge) => found ?? judge(twin, meanings), undefined)
}

const RUN_JUDGES: readonly Judge[] = [
  judgeAvailability,
  judgeIdempotence,
  judgeIsolation,
  judgeWayBack,
  judgeMoney,
  judgeTruth,
]

function judgeAvailability({ enacted, result }: Twin): Violation | undefined {
  const attempts = result.rounds.flatMap((round) => round.attempts)
  const kindOf = (key: string) => enacted.events.find((event) => event.key === key)?.name ?? key
  if (result.isGone) {
    const last = attempts.at(-1)?.event ?? ''
    return availability(
      `gone`,
      `The handler stopped accepting connections at ${kindOf(last)}.`,
      'nothing listens any more',
    )
  }
  const hung = attempts.find(({ response }) => response.code === 'ETIMEDOUT')
  if (hung !== undefined) {
    const kind = kindOf(hung.event)
    return availability(
      `hangs ${kind}`,
      `The handler does not respond to ${kind}.`,
      hung.response.error ?? 'no response',
    )
  }
  const [refused] = result.refused
  if (refused === undefined) return undefined
  const last = attempts.findLast(({ event }) => event === refused)?.response
  const said = `${last?.status ?? last?.error ?? 'no response'}${last?.text ? `: ${last.text.slice(0, 120)}` : ''}`
  const kind = kindOf(refused)
  return availability(`refuses ${kind} ${last?.status ?? ''}`, `The handler refuses ${kind} nine times.`, said)
}

function availability(cause: string, title: string, got: string): Violation {
  return { oracle: 'availability', cause: `availability ${cause}`, title, got, expected: '2xx within nine attempts' }
}

function judgeIdempotence(twin: Twin, meanings: Meanings): Violation | undefined {
  const { end, again } = twin.result
  for (const reading of again ?? []) {
    const before = sameReading(reading, end)
    if (before === undefined) continue
    const [was, is] = [fieldsIn(before, twin, meanings), fieldsIn(reading, twin, meanings)]
    const events = eventsAbout(reading, twin.enacted.events)
    const isAllowed = createStateFilter(reading, events, [was, is], meanings)
    const path = unexpectedDifferences(was, is).find((one) => !isAllowed(one))
    if (path === undefined) continue
    return {
      oracle: 'idempotence',
      cause: `idempotence ${fieldIdOf(reading.probe, path)}`,
      title: `The same events again change ${path} of ${reading.probe}.`,
      got: showLeaf(is.get(path)),
      expected: showLeaf(was.get(path)),
      order: reading.order,
    }
  }
  return undefined
}

/** Returns whether a path shows a state that is allowed in all of these readings, so that its change is not wrong. */
function createStateFilter(
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

/** Only other events can change an order whose events were sent one at a time. */
function judgeIsolation(twin: Twin, meanings: Meanings): Violation | undefined {
  if (!hasQuietControl(twin)) return undefined
  const found = stateIssue(twin, meanings, 'control') ?? numberIssue(twin, meanings, 'control')
  if (found === undefined) return undefined
  return {
    ...found,
    oracle: 'isolation',
    cause: `isolation ${found.cause}`,
    title: `Events of one order change another order. ${found.title}`,
  }
}

function hasQuietControl({ enacted, schedule }: Twin): boolean {
  const control = enacted.events.filter(({ order }) => order === 'control').map(({ key }) => key)
  const sent = schedule.flat().filter(({ event }) => control.includes(event))
  const isAlone = enacted.events.length === control.length
  return !isAlone && sent.length === control.length && sent.every(({ copies, lost }) => copies === 1 && lost !== true)
}

function judgeTruth(twin: Twin, meanings: Meanings): Violation | undefined {
  return stateIssue(twin, meanings, 'main') ?? stateIssue(twin, meanings, 'control')
}

/** Compares the fields that show the state with those of simple stories. */
function stateIssue(twin: Twin, meanings: Meanings, order: 'main' | 'control'): Violation | undefined {
  for (const reading of twin.result.end.filter((one) => one.order === order)) {
    const events = eventsAbout(reading, twin.enacted.events)
    const fields = fieldsIn(reading, twin, meanings)
    const path = wrongStates(reading, events, fields, meanings)[0] ?? falseRefund(events, fields)
    if (path === undefined) continue
    const expected = expectedLeaves(reading.probe, path, events, meanings)
    return {
      oracle: 'truth',
      cause: `truth ${fieldIdOf(reading.probe, path)} ${showLeaf(fields.get(path))} for ${allowedStates(events).join('/')}`,
      title: `${reading.probe}: ${path} is ${showLeaf(fields.get(path))}, but the order is ${allowedStates(events).join(' or ')}.`,
      got: `${path}: ${showLeaf(fields.get(path))}`,
      expected: `${path}: ${expected.length === 0 ? allowedStates(events).join(' or ') : expected.map(showLeaf).join(' or ')}`,
      order,
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

/** A part of the money was returned, and the order says `refunded` although it is paid. */
function falseRefund(events: readonly StoryEvent[], fields: Fields): string | undefined {
  if (allowedStates(events).some((state) => state !== 'part_refunded' && state !== 'paid')) return undefined
  return [...fields].find(
    ([path, leaf]) =>
      /(status|state)$/i.test(path) && !path.includes('[') && !path.includes('{') && /^refunded$/i.test(String(leaf)),
  )?.[0]
}

function judgeMoney(twin: Twin, meanings: Meanings): Violation | undefined {
  return shopIssue(twin, meanings) ?? numberIssue(twin, meanings, 'main') ?? numberIssue(twin, meanings, 'control')
}

function numberIssue(twin: Twin, meanings: Meanings, order: 'main' | 'control'): Violation | undefined {
  for (const reading of twin.result.end.filter((one) => one.order === order)) {
    const totals = totalsOf(eventsAbout(reading, twin.enacted.events))
    const fields = fieldsIn(reading, twin, meanings)
    for (const [id, measures] of meanings.numbers) {
      const path = id.slice(reading.probe.length + 1)
      const value = numberOf(fields.get(path))
      if (!id.startsWith(`${reading.probe} `) || value === undefined || dependsOnOrder(path)) continue
      if (fits(measures, value, totals)) continue
      return moneyViolation(reading.probe, path, value, measures, totals, order)
    }
  }
  return undefined
}

function shopIssue({ enacted, shop }: Twin, meanings: Meanings): Violation | undefined {
  const totals = totalsOf(enacted.events)
  for (const { probe, before, after } of shop) {
    for (const [path, change] of numberChanges(before, after)) {
      const measures = meanings.shopNumbers.get(fieldIdOf(probe, path))
      if (measures === undefined || fits(measures, change, totals)) continue
      return moneyViolation(probe, path, change, measures, totals)
    }
  }
  return undefined
}

function fits(measures: readonly Measure[], value: number, totals: Parameters<Measure['expected']>[0]): boolean {
  return measures.some((measure) => isSameNumber(measure.expected(totals), value))
}

function moneyViolation(
  probe: string,
  path: string,
  value: number,
  measures: readonly Measure[],
  totals: Parameters<Measure['expected']>[0],
  order?: 'main' | 'control',
): Violation {
  const right = [...new Set(measures.map((measure) => round(measure.expected(totals))))].join(' or ')
  const what = measures[0]?.id ?? 'the sum'
  const name = path === '$' ? probe : `${path} of ${probe}`
  const verb = order === undefined ? 'changed by' : 'is'
  return {
    oracle: 'money',
    cause: `money ${fieldIdOf(probe, path)} ${value > (measures[0]?.expected(totals) ?? 0) ? 'too high' : 'too low'}`,
    title: `${name} ${verb} ${round(value)}, but it must be ${right}: ${what}.`,
    got: `${name} ${verb} ${round(value)}`,
    expected: `${name} ${verb} ${right}`,
    ...(order && { order }),
  }
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

/** The order had a state that is allowed now, and a later event made it wrong. */
function judgeWayBack(twin: Twin, meanings: Meanings): Violation | undefined {
  const { rounds } = twin.result
  for (let at = 1; at < rounds.length; at++) {
    const round = rounds[at] as PlayedRound
    for (const reading of round.readings) {
      const before = sameReading(reading, rounds[at - 1]?.readings ?? [])
      const events = eventsAbout(reading, round.accepted)
      if (before === undefined || before.text === reading.text || events.length === 0) continue
      const [was, is] = [fieldsIn(before, twin, meanings), fieldsIn(reading, twin, meanings)]
      const wasWrong = new Set(wrongStates(before, events, was, meanings))
      const path = wrongStates(reading, events, is, meanings).find((one) => !wasWrong.has(one))
      if (path === undefined) continue
      const kinds = [
        ...new Set(round.attempts.map(({ event }) => twin.enacted.events.find(({ key }) => key === event)?.name)),
      ]
      return {
        oracle: 'no_way_back',
        cause: `no_way_back ${fieldIdOf(reading.probe, path)} ${showLeaf(was.get(path))} to ${showLeaf(is.get(path))}`,
        title: `${kinds.join(' and ')} changes ${path} of ${reading.probe} from ${showLeaf(was.get(path))} back to ${showLeaf(is.get(path))}.`,
        got: `${path}: ${showLeaf(is.get(path))}`,
        expected: `${path}: ${expectedLeaves(reading.probe, path, events, meanings).map(showLeaf).join(' or ')}`,
        order: reading.order,
      }
    }
  }
  return undefined
}

/** Compares the end of a run with that of its twin in order. */
export function judgeTwins(inOrder: Twin, scheduled: Twin, meanings: Meanings): Violation | undefined {
  for (const reading of scheduled.result.end) {
    const other = sameReading(reading, inOrder.result.end)
    if (other === undefined) continue
    const [right, got] = [fieldsIn(other, inOrder, meanings), fieldsIn(reading, scheduled, meanings)]
    const isJudgedByState = (path: string) => meanings.states.has(fieldIdOf(reading.probe, path))
    const path = unexpectedDifferences(right, got).find((one) => !isJudgedByState(one))
    if (path === undefined) continue
    const isControl = reading.order === 'control' && hasQuietControl(scheduled)
    return {
      oracle: isControl ? 'isolation' : 'convergence',
      cause: `${isControl ? 'isolation' : 'convergence'} ${fieldIdOf(reading.probe, path)}`,
      title: `The same events in another order end with ${path} of ${reading.probe} = ${showLeaf(got.get(path))}, not ${showLeaf(right.get(path))}.`,
      got: `${path}: ${showLeaf(got.get(path))}`,
      expected: `${path}: ${showLeaf(right.get(path))}, as in order`,
      order: reading.order,
    }
  }
  return undefined
}
