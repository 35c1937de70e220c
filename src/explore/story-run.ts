// One run of a story with fresh ids, and what is needed to judge it.

import type { Fields } from '../audit/probe-fields.ts'
import type { SentIds } from '../audit/sent-ids.ts'
import type { EnactedStory } from './enact-story.ts'
import { type FieldRules, fieldsOfReading } from './order-fields.ts'
import type { OrderReading, ShopReading } from './read-probes.ts'
import type { RunResult } from './run-schedule.ts'
import type { Schedule } from './schedule.ts'
import type { StoryEvent } from './story-event.ts'

export interface StoryRun {
  readonly enacted: EnactedStory
  readonly schedule: Schedule
  readonly result: RunResult
  /** The ids that the run sent. Their placeholders are the same in each run of the story. */
  readonly sentIds: SentIds
  /** The fields of readings, kept because masking is slow. */
  readonly cache: Map<OrderReading, Fields>
  /** The probes of the whole shop, before and after the run. Empty if other runs were in progress. */
  readonly shop: readonly ShopReading[]
}

/** Returns the events about the order or payment of a reading. */
export function eventsAbout({ order, payment }: OrderReading, events: readonly StoryEvent[]): readonly StoryEvent[] {
  return events.filter((event) => event.order === order && (payment === undefined || event.object === payment))
}

/** Returns the reading with the same probe, order and payment. */
export function sameReading(reading: OrderReading, others: readonly OrderReading[]): OrderReading | undefined {
  return others.find(
    ({ probe, order, payment }) => probe === reading.probe && order === reading.order && payment === reading.payment,
  )
}

export function fieldsIn(
  reading: OrderReading,
  { sentIds, cache }: StoryRun,
  { volatile }: Pick<FieldRules, 'volatile'>,
): Fields {
  const known = cache.get(reading)
  if (known !== undefined) return known
  const fields = fieldsOfReading(reading, { sentIds, volatile })
  cache.set(reading, fields)
  return fields
}
