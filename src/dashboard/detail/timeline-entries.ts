// The timeline of an object on sandbox time: what happened, its events, each attempt, and what is scheduled.

import type { ScheduledStep } from '../../client/clock-types.ts'
import type { DeliveryView, EventView } from '../../client/control-types.ts'
import type { TimelineBlock, Tone } from '../../view-model/detail/blocks.ts'
import { httpStatusTone } from '../../view-model/detail/tones.ts'
import { formatAttemptResult } from '../../view-model/rows/attempt-result.ts'
import { type DeliveryMark, deliveryMark } from '../../view-model/rows/delivery-mark.ts'

export type TimelineEntry = {
  /** ms since the Unix epoch, on the sandbox's clock. */
  readonly at: number
  readonly tone: Tone
} & (
  | { readonly kind: 'status'; readonly label: string; readonly details: string }
  | { readonly kind: 'event'; readonly event: string; readonly id: string; readonly hasDelivery: boolean }
  | {
      readonly kind: 'attempt'
      readonly number: number
      readonly isManual: boolean
      readonly mark: DeliveryMark | undefined
      readonly event: string
      readonly url: string
      readonly result: string
      readonly deliveryId: string
    }
  | { readonly kind: 'scheduled'; readonly step: string; readonly due: string; readonly url: string | undefined }
)

export interface TimelineParts {
  readonly statuses: TimelineBlock
  readonly events: readonly EventView[]
  readonly deliveries: readonly DeliveryView[]
  readonly schedule: readonly ScheduledStep[]
}

/** The order of entries at the same time: a status causes an event, and an event an attempt. */
const ORDER = ['status', 'refund', 'event', 'attempt', 'scheduled'] as const

function rank(entry: TimelineEntry): number {
  const isRefund = entry.kind === 'status' && entry.label.startsWith('refund ')
  return ORDER.indexOf(isRefund ? 'refund' : entry.kind)
}

export function timelineEntries({ statuses, events, deliveries, schedule }: TimelineParts): readonly TimelineEntry[] {
  const deliveredEvents = new Set(deliveries.map(({ event_id }) => event_id))
  const urls = new Map(deliveries.map(({ id, url }) => [id, url]))
  const entries: TimelineEntry[] = [
    ...statuses.steps.map(({ at, label, details, tone }) => ({
      kind: 'status' as const,
      at: Date.parse(at),
      label,
      details,
      tone,
    })),
    // The API returns the newest first.
    ...events.toReversed().map(({ id, event, created_at }) => ({
      kind: 'event' as const,
      at: Date.parse(created_at),
      event,
      id,
      hasDelivery: deliveredEvents.has(id),
      tone: 'plain' as const,
    })),
    ...deliveries.toReversed().flatMap(({ id, event, url, replay, edited, attempts }) =>
      attempts.map(({ number, at, status, error, manual }) => ({
        kind: 'attempt' as const,
        at: Date.parse(at),
        number,
        isManual: manual === true,
        mark: deliveryMark({ replay, edited }),
        event,
        url,
        result: formatAttemptResult({ status, error }),
        deliveryId: id,
        tone: httpStatusTone(status ?? 0),
      })),
    ),
    ...schedule.map(({ due, step, object_id }) => ({
      kind: 'scheduled' as const,
      at: Date.parse(due),
      step,
      due,
      url: urls.get(object_id),
      tone: 'accent' as const,
    })),
  ]
  return entries.sort((a, b) => a.at - b.at || rank(a) - rank(b))
}

/** Returns the difference in ms of two times as they are shown, which is without fractions of a second. */
export function shownGap(before: TimelineEntry, { at }: TimelineEntry): number {
  return (Math.floor(at / 1000) - Math.floor(before.at / 1000)) * 1000
}
