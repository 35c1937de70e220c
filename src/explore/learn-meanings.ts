// Learns what the fields of the probes mean. Simple stories are sent in order and one at a time, so they show which value a
// field has in each state.

import type { Fields, Leaf } from '../audit/probe-fields.ts'
import { dependsOnDeliveryOrder, fieldsOf, isInList } from '../audit/probe-fields.ts'
import { sentIdsIn } from '../audit/sent-ids.ts'
import type { EnactedStory } from './enact-story.ts'
import { fieldIdOf, fieldsOfReading, numberOf } from './order-fields.ts'
import { fittingMeasures, type Measure } from './quantities.ts'
import type { OrderReading } from './read-orders.ts'
import type { StoryStep } from './story.ts'
import { allowedStates, type OrderState, type Totals, totalsOf } from './story-event.ts'

/** The meanings of the fields. The keys are the ids that `fieldIdOf` returns. */
export interface Meanings {
  /** The value of a field in each state of an order. */
  readonly states: ReadonlyMap<string, ReadonlyMap<OrderState, Leaf | undefined>>
  /** The measures that fit a number of an order. */
  readonly numbers: ReadonlyMap<string, readonly Measure[]>
  /** The measures that fit the changes of a number of the whole shop. */
  readonly shopNumbers: ReadonlyMap<string, readonly Measure[]>
  /** Fields that differ between the two runs of the first story. */
  readonly volatile: ReadonlySet<string>
}

const PAID: readonly StoryStep[] = [
  { do: 'create', payment: 'p1', order: 'main' },
  { do: 'pay', payment: 'p1' },
]
const CREATED = PAID.slice(0, 1)
const PARTIAL_REFUND: StoryStep = { do: 'refund', payment: 'p1', refund: 'r1', percent: 30, result: 'succeeded' }
const FULL_REFUND: StoryStep = { ...PARTIAL_REFUND, percent: 0 }

/** The simple stories. The first one is sent twice, to find fields that differ between two runs of the same story. */
export const SIMPLE_STORIES: readonly (readonly StoryStep[])[] = [
  PAID,
  PAID,
  [...PAID, PARTIAL_REFUND],
  [...PAID, FULL_REFUND],
  [...CREATED, { do: 'decline', payment: 'p1' }],
  [...CREATED, { do: 'expire', payment: 'p1' }],
  [...CREATED, { do: 'cancel', payment: 'p1' }],
  [{ do: 'payout', payout: 'o1', result: 'succeeded' }],
]

/** A simple story that was sent, and what the probes returned. */
export interface Lesson {
  readonly enacted: EnactedStory
  readonly end: readonly OrderReading[]
  /** The values of each probe of the whole shop, before and after the story. */
  readonly shop: readonly { readonly probe: string; readonly before: string; readonly after: string }[]
}

export function learnMeanings(lessons: readonly Lesson[]): Meanings {
  const volatile = volatileFields(lessons)
  const samples = new Map<string, { state: OrderState | undefined; leaf: Leaf | undefined; totals: Totals }[]>()
  const orders = lessons.filter(({ end }) => end.length > 0)
  const read = orders.map(({ enacted, end }) => ({
    enacted,
    fields: end.map((reading) => ({ reading, fields: lessonFields(reading, enacted, volatile) })),
  }))
  const ids = new Set(
    read.flatMap(({ fields }) =>
      fields.flatMap(({ reading, fields }) => [...fields.keys()].map((path) => fieldIdOf(reading.probe, path))),
    ),
  )
  for (const { enacted, fields } of read) {
    const [state] = allowedStates(enacted.events)
    for (const id of ids) {
      const leaf = leafOf(fields, id)
      samples.set(id, [...(samples.get(id) ?? []), { state, leaf, totals: totalsOf(enacted.events) }])
    }
  }
  const states = new Map<string, Map<OrderState, Leaf | undefined>>()
  const numbers = new Map<string, Measure[]>()
  for (const [id, found] of samples) {
    const byState = new Map(found.flatMap(({ state, leaf }) => (state === undefined ? [] : [[state, leaf] as const])))
    if (isStatePath(id, [...byState.values()])) states.set(id, byState)
    const values = found.flatMap(({ leaf, totals }) => {
      const value = numberOf(leaf)
      return value === undefined ? [] : [{ totals, value }]
    })
    const fitting = values.length < 3 ? [] : fittingMeasures(values)
    if (fitting.length > 0 && !isInList(id)) numbers.set(id, fitting)
  }
  return { states, numbers, shopNumbers: learnShopNumbers(lessons), volatile }
}

/** Returns the fields of an order after a lesson. */
export function lessonFields(reading: OrderReading, { events }: EnactedStory, volatile: ReadonlySet<string>): Fields {
  const sentIds = sentIdsIn(events.map(({ body }) => ({ body: Buffer.from(body) })))
  return fieldsOfReading(reading, { sentIds, volatile })
}

function leafOf(readings: readonly { reading: OrderReading; fields: Fields }[], id: string): Leaf | undefined {
  for (const { reading, fields } of readings)
    for (const [path, leaf] of fields) if (fieldIdOf(reading.probe, path) === id) return leaf
  return undefined
}

/** Returns whether a field shows the state: its value is a word that differs between states. Ids, times and lists do not count. */
function isStatePath(id: string, values: readonly (Leaf | undefined)[]): boolean {
  const path = id.slice(id.lastIndexOf(' ') + 1)
  if (isInList(path) || path.includes('{') || dependsOnDeliveryOrder(path)) return false
  const known = values.filter((value) => value !== undefined)
  const areWords = known.every(
    (value) => typeof value !== 'number' && !/[{]|^payment\.|^payout\.|^-?\d+(\.\d+)?$/.test(String(value)),
  )
  return areWords && new Set(values).size > 1
}

/** Returns the fields that differ between the two runs of the first story. */
function volatileFields(lessons: readonly Lesson[]): ReadonlySet<string> {
  const found = new Set<string>()
  const [first, second] = lessons
  if (first === undefined || second === undefined) return found
  for (const reading of first.end) {
    const other = second.end.find(({ probe, order }) => probe === reading.probe && order === reading.order)
    if (other === undefined) continue
    const [left, right] = [lessonFields(reading, first.enacted, found), lessonFields(other, second.enacted, found)]
    for (const path of new Set([...left.keys(), ...right.keys()])) {
      if (left.get(path) !== right.get(path)) found.add(fieldIdOf(reading.probe, path))
    }
  }
  return found
}

function learnShopNumbers(lessons: readonly Lesson[]): Map<string, readonly Measure[]> {
  const samples = new Map<string, { totals: Totals; value: number }[]>()
  for (const { enacted, shop } of lessons) {
    for (const { probe, before, after } of shop) {
      for (const [path, value] of numberChanges(before, after)) {
        const id = fieldIdOf(probe, path)
        samples.set(id, [...(samples.get(id) ?? []), { totals: totalsOf(enacted.events), value }])
      }
    }
  }
  const found = new Map<string, readonly Measure[]>()
  for (const [id, values] of samples) {
    const fitting = fittingMeasures(values)
    if (fitting.length > 0 && values.length >= 3) found.set(id, fitting)
  }
  return found
}

/** Returns by how much each number of the shop changed. */
export function numberChanges(before: string, after: string): ReadonlyMap<string, number> {
  const [fieldsBefore, fieldsAfter] = [fieldsOf(before), fieldsOf(after)]
  const found = new Map<string, number>()
  for (const [path, leaf] of fieldsAfter) {
    const [from, to] = [numberOf(fieldsBefore.get(path)), numberOf(leaf)]
    if (from !== undefined && to !== undefined && !isInList(path)) found.set(path, to - from)
  }
  return found
}
