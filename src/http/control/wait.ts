// Waits for an event of a shop and for the first attempt of its webhooks, and explains a timeout.
import * as z from 'zod'
import { isFirstAttemptOver } from '../../domain/delivery.ts'
import { refuse } from '../../domain/errors.ts'
import { eventFieldIssue } from '../../domain/event-fields.ts'
import { describeExpected, fieldPairs, matchesEvent, nearMisses } from '../../domain/event-match.ts'
import { presentEvent, type WebhookEvent } from '../../domain/events.ts'
import { deferred } from '../../domain/promises.ts'
import { formatDuration, rfc3339 } from '../../domain/time.ts'
import { requireRow } from '../../engine/require-row.ts'
import type { Exchange } from '../app-env.ts'
import { ConnectionAbortedError } from '../connection-aborted.ts'
import type { Services } from '../services.ts'
import { eventName } from '../value-schemas.ts'
import { duration } from './fields.ts'
import { matchSchema } from './match-schema.ts'
import { ok, route } from './route.ts'

const TIMEOUT = 'a duration of at most 10m'
const DEFAULT_TIMEOUT = 5000
const MAX_TIMEOUT = 600_000
/** The explanation of a timeout considers at most this many events of the shop, the newest. */
const MAX_CONSIDERED = 1000

const waitBody = z.strictObject({
  event: eventName.meta({ description: 'The name of the event.' }),
  where: matchSchema(
    'Fields of the event or of its object, and their values. A dot separates nested fields: `metadata.cart`. Default: any event of this name matches.',
  ),
  timeout: duration
    .refine((ms) => ms <= MAX_TIMEOUT, TIMEOUT)
    .optional()
    .meta({ description: 'How long to wait, at most 10 minutes of the system clock. Default: 5s.' }),
})

interface Wanted {
  readonly shop_id: string
  readonly event: WebhookEvent['event']
  readonly where: readonly (readonly [field: string, value: string])[]
  /** The time limit, in ms. */
  readonly timeout: number
}

export const waitRoutes = [
  route({
    name: 'waitForEvent',
    method: 'POST',
    path: '/shops/:id/wait',
    summary: 'Wait for an event of a shop',
    description:
      'Responds with the first matching event, past or future, after the first attempt of each of its webhooks. If the event or these attempts do not happen in time, `event` is null and `message` explains why.',
    body: waitBody,
    isLongChange: true,
    responses: { 200: 'WaitResult' },
    async run({ c, services, world, body: { event, where = {}, timeout = DEFAULT_TIMEOUT }, param }) {
      const { id: shop_id } = requireRow(world, 'shops', param('id'))
      for (const field of Object.keys(where)) {
        const issue = eventFieldIssue(field, [event])
        if (issue !== undefined) throw refuse('bad_request', `where: ${issue}`)
      }
      return ok(await waitForEvent(c, services, { shop_id, event, where: fieldPairs(where), timeout }))
    },
  }),
]

/** @throws ConnectionAbortedError if the client disconnects */
async function waitForEvent(c: Exchange, services: Services, wanted: Wanted) {
  const { controlHub, systemClock, engine } = services
  const { promise: over, resolve: end } = deferred()
  const read = createMatchReader(services, wanted)
  let found: WebhookEvent | undefined
  let isAttempted = false
  let isDisconnected = false
  function check(): void {
    found ??= read()
    isAttempted = found !== undefined && engine.world.find('deliveries', 'by_event', found.id).every(isFirstAttemptOver)
    if (isAttempted) end()
  }
  const noop = () => {}
  const stopListening = onDisconnect(c, () => {
    isDisconnected = true
    end()
  })
  const timer = systemClock.setTimeout(end, services.dryRun === true ? 0 : wanted.timeout)
  // The stream writes when it connects and after each change. The bytes are not needed.
  const write = () => {
    check()
    return true
  }
  const detach = controlHub.attach({ write, onDrain: noop, onDisconnect: noop, close: end }, undefined)
  try {
    await over
  } finally {
    timer.cancel()
    detach()
    stopListening()
  }
  if (isDisconnected) throw new ConnectionAbortedError('The client closed the connection before the event happened.')
  return isAttempted && found !== undefined
    ? { event: presentEvent(found), message: null }
    : { event: null, message: explainTimeout(services, wanted, found) }
}

/** Calls `listener` when the client disconnects or the response was sent. Returns a function that removes it. */
function onDisconnect({ env, req }: Exchange, listener: () => void): () => void {
  const outgoing = env?.outgoing
  if (outgoing !== undefined) {
    if (outgoing.closed) listener()
    outgoing.on('close', listener)
    return () => outgoing.off('close', listener)
  }
  const { signal } = req.raw
  if (signal.aborted) listener()
  signal.addEventListener('abort', listener)
  return () => signal.removeEventListener('abort', listener)
}

/** Returns a function that returns the oldest matching event among the events that are new since its last call. */
function createMatchReader({ engine: { world } }: Services, { shop_id, event, where }: Wanted) {
  let newest: string | undefined
  return () => {
    let first: string | undefined
    let found: WebhookEvent | undefined
    for (const row of world.rows('events', 'newest')) {
      if (row.id === newest) break
      first ??= row.id
      if (row.event === event && row.shop_id === shop_id && matchesEvent(presentEvent(row), where)) found = row
    }
    newest = first ?? newest
    return found
  }
}

function explainTimeout(services: Services, wanted: Wanted, found: WebhookEvent | undefined): string {
  const lines = found === undefined ? describeMissing(services, wanted) : describeUndelivered(services, wanted, found)
  return [...lines, ...clockHint(services)].join('\n')
}

function describeMissing({ engine: { world } }: Services, { shop_id, event, where, timeout }: Wanted): string[] {
  const seen: ReturnType<typeof presentEvent>[] = []
  for (const row of world.rows('events', 'newest')) {
    if (row.shop_id === shop_id) seen.push(presentEvent(row))
    if (seen.length === MAX_CONSIDERED) break
  }
  return [
    `${describeExpected(event, where)} did not happen within ${formatDuration(timeout)}.`,
    ...nearMisses({ names: [event], where }, seen.reverse()),
  ]
}

function describeUndelivered({ engine: { world } }: Services, { event, timeout }: Wanted, { id }: WebhookEvent) {
  const open = world.find('deliveries', 'by_event', id).filter((delivery) => !isFirstAttemptOver(delivery))
  const due = (at: number | undefined) => (at === undefined ? 'now' : rfc3339(at))
  return [
    `${event} ${id} happened, but the first attempt of these webhooks did not end within ${formatDuration(timeout)}:`,
    ...open.map(({ url, next_attempt_at }) => `  ${url}  due ${due(next_attempt_at)}`),
    'Check the URL, and whether the application responds.',
  ]
}

function clockHint({ timeline }: Services): string[] {
  if (timeline.clock().mode !== 'frozen') return []
  const due = timeline.nextDue()
  return due === undefined
    ? ['The clock is frozen, and no step is scheduled. First create, pay or decline the object.']
    : [`The clock is frozen. The next step is due at ${rfc3339(due)}: advance the clock.`]
}
