// Explains why an event did not happen: similar events, the state of the object, and a frozen clock.
import type { Client } from '../client/client.ts'
import { paginate } from '../client/paginate.ts'
import { isFirstAttemptOver } from '../domain/delivery.ts'
import { describeExpected, fieldPairs, nearMisses } from '../domain/event-match.ts'
import type { WebhookEventName } from '../domain/events.ts'
import { formatDuration } from '../domain/time.ts'
import { deliveriesOf, type TestEvent, type Where } from './test-event.ts'

interface MissingEvent<Name extends WebhookEventName> {
  readonly name: Name
  readonly where: Where<Name>
  readonly timeout: number
  readonly seen: readonly TestEvent[]
  /** The event, if it happened, but its first attempts are not over. */
  readonly found: TestEvent<Name> | undefined
}

const MAX_SHOWN = 5

export async function describeMissingEvent<Name extends WebhookEventName>(
  { client, shopId }: { readonly client: Client; readonly shopId: string },
  miss: MissingEvent<Name>,
): Promise<string> {
  const lines =
    miss.found === undefined
      ? [`${describeWanted(miss)} did not happen within ${formatDuration(miss.timeout)}.`, ...nearestEvents(miss)]
      : await describeUndelivered(client, miss.found, miss.timeout)
  if (miss.found === undefined) lines.push(...(await objectState(client, shopId, miss)))
  return [...lines, ...(await clockHint(client))].join('\n')
}

function describeWanted<Name extends WebhookEventName>({ name, where }: MissingEvent<Name>): string {
  if (typeof where === 'function') return `${name} for which the function is true`
  return describeExpected(name, fieldPairs(where))
}

function nearestEvents<Name extends WebhookEventName>({ name, where, seen }: MissingEvent<Name>): string[] {
  const asked = typeof where === 'function' ? [] : fieldPairs(where)
  return nearMisses({ names: [name], where: asked }, seen)
}

/** Returns the state of the requested object, if it can be found. */
async function objectState<Name extends WebhookEventName>(
  client: Client,
  shopId: string,
  { name, where }: MissingEvent<Name>,
): Promise<string[]> {
  const { order_id, id } = (typeof where === 'function' ? {} : where) as { order_id?: unknown; id?: unknown }
  if (order_id === undefined && id === undefined) return []
  const kind = name.startsWith('payout.') ? 'payout' : 'payment'
  const filter = { shop_id: shopId, ...(order_id !== undefined && { order_id: String(order_id) }) }
  const { payments, payouts } = client.control.lists
  const items = kind === 'payout' ? await paginate(payouts, filter) : await paginate(payments, filter)
  const matching = items.filter((item) => id === undefined || item.id === id)
  if (matching.length === 0) return [`The shop has no such ${kind}. Was it created with this sandbox's apiKey?`]
  return matching.slice(0, MAX_SHOWN).map((item) => `The ${kind} ${item.id} is ${item.status}.`)
}

async function describeUndelivered(client: Client, event: TestEvent, timeout: number): Promise<string[]> {
  const open = (await deliveriesOf(client, event)).filter((delivery) => !isFirstAttemptOver(delivery))
  return [
    `${event.event} ${event.id} happened, but the first attempt of these webhooks did not end within ${formatDuration(timeout)}:`,
    ...open.map(({ url, status, next_attempt_at }) => `  ${url}  ${status}, due ${next_attempt_at ?? 'now'}`),
    'Pass { attempted: false } to wait only for the event.',
  ]
}

async function clockHint(client: Client): Promise<string[]> {
  const { mode, next_due } = await client.control.clock.get()
  if (mode !== 'frozen') return []
  if (next_due === null) {
    return [
      'The clock is frozen and no step is scheduled, so time alone changes nothing. First await the call that creates, pays or declines.',
    ]
  }
  return [
    `The clock is frozen. The next step is due at ${next_due}: await clock.advance('10s'), or clock.advance({ until: 'idle' }).`,
  ]
}
