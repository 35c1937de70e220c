// Waits for a past or future event, and explains a timeout.

import { requireObject } from '../client/call-arguments.ts'
import type { Client } from '../client/client.ts'
import type { EventView } from '../client/control-types.ts'
import { recordTimeout } from '../client/wait-timeouts.ts'
import { createEventReader, watchEvents } from '../client/watch-events.ts'
import { closestEvent } from '../domain/closest-name.ts'
import { isFirstAttemptOver } from '../domain/delivery.ts'
import { eventFieldIssue } from '../domain/event-fields.ts'
import { WEBHOOK_EVENTS, type WebhookEventName } from '../domain/events.ts'
import { pause } from '../domain/promises.ts'
import { quote } from '../domain/zod-messages.ts'
import { checkNumber } from './check-options.ts'
import type { SandboxConnection } from './connection.ts'
import { describeMissingEvent } from './event-not-found.ts'
import { deliveriesOf, matchesWhere, type TestEvent, type Where } from './test-event.ts'

/** The options of `waitFor`. */
export interface WaitOptions {
  /** The time limit in ms. Default: the `timeout` of the sandbox. */
  readonly timeout?: number | undefined
  /** If false, `waitFor` does not wait for the first delivery attempt. */
  readonly attempted?: boolean | undefined
  /** Stops waiting. */
  readonly signal?: AbortSignal | undefined
}

/** The event did not happen in time, or its first attempts did not end. The message says what happened instead. */
export class WaitTimeoutError extends Error {
  override readonly name = 'WaitTimeoutError'
  /** Every event of the shop, oldest first. */
  readonly seen: readonly TestEvent[]
  constructor(message: string, seen: readonly TestEvent[]) {
    super(message)
    this.seen = seen
  }
}

interface WaitPorts {
  readonly client: Client
  readonly connection: SandboxConnection
  readonly shopId: string
}

/** @throws WaitTimeoutError, TypeError for an unknown event name, and for a field that the event cannot have */
export async function waitForEvent<Name extends WebhookEventName>(
  ports: WaitPorts,
  name: Name,
  where: Where<Name>,
  options: WaitOptions,
): Promise<TestEvent<Name>> {
  checkName(name)
  checkFields(name, where)
  const { timeout = 0, attempted = true, signal: given } = options
  checkNumber('timeout', timeout, 0, Number.MAX_SAFE_INTEGER)
  const { client, connection, shopId } = ports
  const ended = new AbortController()
  const signal = AbortSignal.any([ended.signal, connection.closing, ...(given === undefined ? [] : [given])])
  const seen = new Map<string, TestEvent>()
  let found: TestEvent<Name> | undefined
  const readNew = createEventReader(client, { shop_id: shopId })

  function onEvent(event: EventView): void {
    if (event.shop_id !== shopId || seen.has(event.id)) return
    const one = event as unknown as TestEvent
    seen.set(one.id, one)
    if (found === undefined && one.event === name && matchesWhere(one as TestEvent<Name>, where))
      found = one as TestEvent<Name>
  }

  async function isDone(): Promise<boolean> {
    return found !== undefined && (!attempted || (await deliveriesOf(client, found)).every(isFirstAttemptOver))
  }

  async function checkPastEvents(): Promise<boolean> {
    for (const event of await readNew()) onEvent(event)
    return await isDone()
  }

  const timer = connection.systemClock.setTimeout(() => ended.abort(TIMED_OUT), timeout)
  let done = false
  try {
    done = await checkPastEvents()
    for (const ms of PAUSES) {
      if (done || signal.aborted) break
      await pause(ms, connection.systemClock)
      done = await checkPastEvents()
    }
    done ||= await watchEvents(client, {
      timers: connection.systemClock,
      signal,
      readEarlier: readNew,
      onEvent,
      isDone,
    })
  } catch (error) {
    // An error caused by the close is reported below, with a message about the wait.
    if (!connection.closing.aborted) throw error
  } finally {
    timer.cancel()
    ended.abort()
  }
  if (done) return found as unknown as TestEvent<Name>
  if (given?.aborted === true) throw given.reason
  if (connection.closing.aborted)
    throw new Error(
      `The sandbox was closed while a test waited for ${name}. Await \`waitFor\` before you close the sandbox.`,
    )
  if (ended.signal.reason !== TIMED_OUT) throw ended.signal.reason
  const all = [...seen.values()]
  const message = await describeMissingEvent(ports, { name, where, timeout, seen: all, found })
  const [line = ''] = message.split('\n')
  if (connection.url === process.env['PSP_URL']) recordTimeout(process.env, line)
  throw new WaitTimeoutError(message, all)
}

/** Throws for an unknown event name at once, so that a typo does not cost the whole wait. */
function checkName(name: string): void {
  if (typeof name !== 'string') {
    throw new TypeError("waitFor takes the name of an event first: waitFor('payment.succeeded', { order_id: 'A-1' }).")
  }
  if (WEBHOOK_EVENTS.some((known) => known === name)) return
  const near = closestEvent(name)
  const meant = near === undefined ? '' : ` Did you mean ${near}?`
  throw new TypeError(`No event is called ${quote(name)}.${meant} The events are ${WEBHOOK_EVENTS.join(', ')}.`)
}

function checkFields<Name extends WebhookEventName>(name: Name, where: Where<Name>): void {
  if (typeof where === 'function') return
  requireObject('waitFor', where, "an object or a function after the name, such as { order_id: 'A-1' }")
  for (const field of Object.keys(where)) {
    const unknown = eventFieldIssue(field, [name])
    if (unknown !== undefined) throw new TypeError(unknown)
  }
}

/** Pauses between the first reads, in ms. In one process a webhook often arrives before a stream is open. */
const PAUSES = [0, 1, 2]

const TIMED_OUT = new Error('time is up')
