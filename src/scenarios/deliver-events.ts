// Implements the step `deliver`: sends events in a given order, in copies, one after another or together.

import type { Client } from '../client/client.ts'
import type { DeliveryView } from '../client/control-types.ts'
import { ApiError } from '../client/errors.ts'
import { paginate } from '../client/paginate.ts'
import { countOf } from '../domain/count-text.ts'
import type { Fields } from './operation.ts'

/** The id of an event, or its position `at` (0: the oldest) among those with this name and, if given, object. */
type EventRef = string | { readonly event: string; readonly object_id?: string; readonly at?: number }

const MAX_COPIES = 100

/**
 * Sends the events of `{events, copies: 1, together: false}`. If deliveries of an event are waiting, for example
 * because the fault `hold` holds them, the first copy is a manual retry of these deliveries. All other copies are
 * replays. Resolves with `{items}`, the deliveries, when all attempts are over.
 */
export async function deliverEvents(client: Client, fields: Fields): Promise<{ items: readonly DeliveryView[] }> {
  const { events, copies = 1, together = false } = fields
  if (!Array.isArray(events) || events.length === 0 || !events.every(isEventRef)) throw badField(EVENTS)
  for (const ref of events) requireFields(ref)
  if (!Number.isInteger(copies) || (copies as number) < 1 || (copies as number) > MAX_COPIES) throw badField(COPIES)
  if (typeof together !== 'boolean') throw badField('together: expected true or false.')
  const ids: string[] = []
  for (const event of events) ids.push(await eventIdOf(client, event))
  const sends = ids.flatMap((id) => Array.from({ length: copies as number }, (_, copy) => () => send(client, id, copy)))
  if (together) return { items: (await Promise.all(sends.map((one) => one()))).flat() }
  const items: DeliveryView[] = []
  for (const one of sends) items.push(...(await one()))
  return { items }
}

const EVENTS =
  'events: expected a list of event ids, or of objects such as {"event": "payment.succeeded", "object_id": "<id>"}.'
const COPIES = `copies: expected an integer from 1 to ${MAX_COPIES}.`

function badField(message: string): ApiError {
  return new ApiError(400, 'bad_request', message)
}

function isEventRef(value: unknown): value is EventRef {
  if (typeof value === 'string') return value !== ''
  return typeof value === 'object' && value !== null && typeof (value as { event?: unknown }).event === 'string'
}

function requireFields(ref: EventRef): void {
  if (typeof ref === 'string') return
  const { at = 0, object_id = '' } = ref
  if (!Number.isInteger(at) || at < 0) throw badField('events: expected at as an integer from 0.')
  if (typeof object_id !== 'string') throw badField('events: expected object_id as a string.')
}

/** Sends one copy. The first copy retries the waiting deliveries of the event, if there are any. */
async function send({ control }: Client, id: string, copy: number): Promise<readonly DeliveryView[]> {
  const waiting = copy > 0 ? [] : (await control.deliveries.list({ event_id: id, status: 'waiting' })).items
  if (waiting.length === 0) return (await control.events.replay(id, {})).items
  return await Promise.all(waiting.map((delivery) => release(control, delivery)))
}

/** Retries a delivery. If the fault has not held it yet, it holds the first retry, and the second one is sent. */
async function release({ deliveries }: Client['control'], { id, attempts }: DeliveryView): Promise<DeliveryView> {
  const retried = await deliveries.retry(id)
  return retried.attempts.length > attempts.length ? retried : await deliveries.retry(id)
}

async function eventIdOf({ control }: Client, ref: EventRef): Promise<string> {
  if (typeof ref === 'string') return ref
  const { event, object_id, at = 0 } = ref
  const items = await paginate(control.events.list, { event, ...(object_id === undefined ? {} : { object_id }) })
  // The list is newest first.
  const found = items.toReversed()[at]
  if (found !== undefined) return found.id
  const about = object_id === undefined ? '' : ` about ${object_id}`
  throw new ApiError(
    404,
    'not_found',
    `There ${items.length === 1 ? 'is' : 'are'} ${countOf(items.length, `event ${event}`, `events ${event}`)}${about}, so none is number ${at}. Numbers begin at 0.`,
  )
}
