// Learns what the fields of the probes mean. Simple stories are sent in order and one at a time, so they show which
// value a field has in each state.

import { dependsOnDeliveryOrder, differing, fieldsOf, isInList, type Leaf, numberOf } from '../audit/probe-fields.ts'
import { groupBy } from '../domain/group-by.ts'
import { fieldIdOf, fieldsOfReading } from './order-fields.ts'
import { fittingMeasures, type Measure } from './quantities.ts'
import type { ShopReading } from './read-probes.ts'
import type { StoryStep } from './story.ts'
import { allowedStates, type OrderState, type Totals, totalsOf } from './story-event.ts'
import { type StoryRun, sameReading } from './story-run.ts'

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

/** @param lessons the runs of the simple stories */
export function learnMeanings(lessons: readonly StoryRun[]): Meanings {
  const volatile = volatileFields(lessons)
  const samples = lessons.filter(({ result }) => result.end.length > 0).map((lesson) => sampleOf(lesson, volatile))
  const states = new Map<string, Map<OrderState, Leaf | undefined>>()
  const numbers = new Map<string, readonly Measure[]>()
  for (const id of new Set(samples.flatMap(({ leaves }) => [...leaves.keys()]))) {
    const byState = new Map(
      samples.flatMap(({ state, leaves }) => (state === undefined ? [] : [[state, leaves.get(id)] as const])),
    )
    if (isStatePath(id, [...byState.values()])) states.set(id, byState)
    const values = samples.flatMap(({ totals, leaves }) => {
      const value = numberOf(leaves.get(id))
      return value === undefined ? [] : [{ totals, value }]
    })
    const measures = likelyMeasures(values)
    if (measures.length > 0 && !isInList(id)) numbers.set(id, measures)
  }
  return { states, numbers, shopNumbers: learnShopNumbers(lessons), volatile }
}

/** The values of the probes after a lesson, and the state and sums of its order. */
interface Sample {
  readonly state: OrderState | undefined
  readonly totals: Totals
  /** The values of the fields, by their ids. */
  readonly leaves: ReadonlyMap<string, Leaf>
}

function sampleOf({ enacted, result, sentIds }: StoryRun, volatile: ReadonlySet<string>): Sample {
  const leaves = new Map<string, Leaf>()
  for (const reading of result.end) {
    for (const [path, leaf] of fieldsOfReading(reading, { sentIds, volatile })) {
      const id = fieldIdOf(reading.probe, path)
      if (!leaves.has(id)) leaves.set(id, leaf)
    }
  }
  return { state: allowedStates(enacted.events)[0], totals: totalsOf(enacted.events), leaves }
}

/** Returns the measures that fit the values. Fewer than three values may fit by chance, so they have no measure. */
function likelyMeasures(values: readonly { readonly totals: Totals; readonly value: number }[]): readonly Measure[] {
  return values.length < 3 ? [] : fittingMeasures(values)
}

/** Returns whether a field shows the state: a word that differs between states, and not an id, a time or in a list. */
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
function volatileFields(lessons: readonly StoryRun[]): ReadonlySet<string> {
  // If the handler refused one of the two runs, it is not among the lessons.
  const [first, second] = lessons.filter(({ enacted }) => allowedStates(enacted.events)[0] === 'paid')
  const found = new Set<string>()
  if (first === undefined || second === undefined) return found
  for (const reading of first.result.end) {
    const other = sameReading(reading, second.result.end)
    if (other === undefined) continue
    const left = fieldsOfReading(reading, { sentIds: first.sentIds, volatile: found })
    const right = fieldsOfReading(other, { sentIds: second.sentIds, volatile: found })
    for (const path of differing(left, right)) found.add(fieldIdOf(reading.probe, path))
  }
  return found
}

function learnShopNumbers(lessons: readonly StoryRun[]): Map<string, readonly Measure[]> {
  const changes = lessons.flatMap(({ enacted, shop }) =>
    shop.flatMap((reading) =>
      [...numberChanges(reading)].map(([path, value]) => ({
        id: fieldIdOf(reading.probe, path),
        totals: totalsOf(enacted.events),
        value,
      })),
    ),
  )
  const measures = [...groupBy(changes, ({ id }) => id)].map(([id, values]) => [id, likelyMeasures(values)] as const)
  return new Map(measures.filter(([, fitting]) => fitting.length > 0))
}

/** Returns by how much each number of the shop changed. */
export function numberChanges({ before, after }: ShopReading): ReadonlyMap<string, number> {
  const fieldsBefore = fieldsOf(before)
  const found = new Map<string, number>()
  for (const [path, leaf] of fieldsOf(after)) {
    const [from, to] = [numberOf(fieldsBefore.get(path)), numberOf(leaf)]
    if (from !== undefined && to !== undefined && !isInList(path)) found.set(path, to - from)
  }
  return found
}
