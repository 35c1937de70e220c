// Describes events, their deliveries and attempts.
import type { AttemptView, DeliveryView } from '../../client/control-types.ts'
import type { Detail } from '../model.ts'
import { formatAttemptResult } from '../rows/attempt-result.ts'
import { deliveryMark, MARK_TONES } from '../rows/delivery-mark.ts'
import type { DeliveryRow } from '../rows/rows.ts'
import { formatDateTime } from '../time-format.ts'
import {
  type AttemptBlock,
  type Block,
  type DeliveryBlock,
  type DetailView,
  fieldRows,
  messageContent,
} from './blocks.ts'
import { httpStatusTone, statusTone } from './tones.ts'

/** The events of an object, the oldest first. */
export function webhooksBlock({ events, deliveries, loading }: Detail): Block {
  return {
    kind: 'webhooks',
    title: 'Webhooks',
    loading,
    events: events.toReversed().map(({ id, event, created_at }) => ({
      id,
      event,
      at: created_at,
      deliveries: deliveries
        .filter(({ event_id }) => event_id === id)
        .toReversed()
        .map(deliveryBlock),
    })),
  }
}

function deliveryBlock(delivery: DeliveryView): DeliveryBlock {
  const { id, url, status, attempts, next_attempt_at } = delivery
  return {
    id,
    url,
    mark: deliveryMark(delivery),
    status,
    tone: statusTone(status),
    nextAttemptAt: next_attempt_at ?? undefined,
    attempts: attempts.map((attempt) => attemptBlock(attempt, id)),
  }
}

export function attemptBlock(
  { number, at, ms, status, error, manual, fault, request, response }: AttemptView,
  deliveryId: string,
): AttemptBlock {
  return {
    deliveryId,
    number,
    at,
    result: formatAttemptResult({ status, error }),
    tone: httpStatusTone(status ?? 0),
    ms,
    isManual: manual === true,
    error: status && error ? error : undefined,
    fault,
    request: messageContent(request),
    response: response === null || response === undefined ? undefined : messageContent(response),
  }
}

export function describeDelivery(row: DeliveryRow, { deliveries, loading, problem }: Detail): DetailView {
  const mark = deliveryMark(row)
  const delivery = deliveries.find(({ id }) => id === row.id)
  const { attemptsMade: made, attemptsTotal: total, next_attempt_at: next } = row
  return {
    title: row.event,
    note: row.event_id,
    problem,
    summary: [
      { text: row.status, tone: statusTone(row.status), isStatus: true },
      ...(mark === undefined ? [] : [{ text: mark, tone: MARK_TONES[mark] }]),
      { text: row.url, tone: 'plain' },
    ],
    blocks: [
      {
        kind: 'fields',
        title: 'Fields',
        rows: fieldRows([
          ['delivery', row.id],
          ['object', row.object_id],
          ['attempts', total === undefined ? made : `${made} of at most ${total}`],
          ['next', next === undefined ? undefined : formatDateTime(next)],
        ]),
      },
      {
        kind: 'attempts',
        title: 'Attempts',
        attempts: delivery?.attempts.map((attempt) => attemptBlock(attempt, row.id)) ?? [],
        missing: delivery === undefined ? (loading ? 'loading' : 'lost') : undefined,
      },
    ],
  }
}
