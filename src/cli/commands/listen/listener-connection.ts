// The connection of one listener: reads its stream of deliveries, forwards each one, and reconnects after a loss.
import type { Client } from '../../../client/client.ts'
import { ApiError } from '../../../client/errors.ts'
import type { FetchResponse } from '../../../client/fetch-like.ts'
import { follow } from '../../../client/follow.ts'
import type { DeliveryState, ListenerDelivery, ListenerView } from '../../../client/listener-types.ts'
import { formatDuration } from '../../../domain/time.ts'
import { CliError } from '../../failure.ts'
import type { Session } from '../../session.ts'
import type { ForwardedResponse, Forwarder } from './forwarder.ts'
import type { Reporter } from './reporter.ts'

export interface ListenerConnection {
  /** Resolves at the first signal, or rejects if the listener cannot continue. */
  readonly ended: Promise<void>
  /** Waits for forwarded webhooks in flight. */
  drain(): Promise<void>
  /**
   * Stops printing and reporting.
   * @returns the number of forwarded webhooks in flight
   */
  abandon(): number
  /** Closes the listener on the server, unless another process has taken it over. */
  close(): Promise<void>
}

export interface ConnectionOptions {
  readonly client: Client
  readonly listener: ListenerView
  readonly reopen: () => Promise<ListenerView>
  /** Called when the stream of this listener opens for the first time. */
  readonly onOpen: () => void
  /** Resolves when every listener of the command is open. Until then, nothing is forwarded or printed. */
  readonly allOpen: Promise<void>
  /** Responses that are not printed yet, of all listeners. Each promise resolves when its response is printed. */
  readonly unprinted: Set<Promise<void>>
  /** Timeout of a receiver, in ms; by default the setting `webhook_timeout`. */
  readonly timeout: number | undefined
  readonly forwarder: Forwarder
  readonly reporter: Reporter
  readonly session: Session
}

export function connectListener(options: ConnectionOptions): ListenerConnection {
  const { client, listener, unprinted, forwarder, reporter, session } = options
  const { listeners } = client.control
  const inFlight = new Set<Promise<void>>()
  const timeout = options.timeout === undefined ? undefined : formatDuration(options.timeout)
  const stream = createStream(options, timeout)
  let isOwner = true
  /** Number of `reset` messages, which report resets, imports and restores. */
  let resets = 0
  let abandoned = false
  /** Whether the server replaced its state since the stream was opened. */
  let wasReset = false

  async function read(): Promise<void> {
    const messages = follow({
      connect: stream.connect,
      timers: session.host.systemClock,
      signal: session.signals.ended,
      onState: (state) => {
        reporter.connectionChanged(state, { wasReset, isNewListener: stream.isNewListener() })
        wasReset = false
        if (state.state === 'open' && !state.isReconnect) options.onOpen()
      },
    })
    for await (const { event, data } of messages) {
      if (event === 'replaced') {
        isOwner = false
        throw new TakenOverError()
      }
      if (event === 'reset') {
        resets++
        wasReset = true
      }
      if (event !== 'delivery') continue
      const job = handle(JSON.parse(data) as ListenerDelivery)
        .catch(reporter.reportFailed)
        .finally(() => inFlight.delete(job))
      inFlight.add(job)
    }
  }

  async function handle(delivery: ListenerDelivery): Promise<void> {
    const before = resets
    await options.allOpen
    // During an advance, the next attempt may be read before the call that reports this result has returned. Its
    // request must be printed below the response of this one.
    await Promise.all(unprinted)
    if (resets !== before) return
    reporter.event(delivery)
    const response = await forwarder.forward(delivery)
    if (abandoned) return
    const reporting = (resets === before ? report(delivery, response) : Promise.resolve(undefined))
      .then((after) => reporter.attempt(delivery, response, after))
      .finally(() => unprinted.delete(settled))
    const settled = reporting.catch(() => {})
    unprinted.add(settled)
    await reporting
  }

  /**
   * Returns `undefined` if the server did not accept the report. It then sends the delivery again, unless the listener
   * does not exist any more.
   */
  async function report(delivery: ListenerDelivery, response: ForwardedResponse): Promise<DeliveryState | undefined> {
    try {
      return await listeners.report(listener.id, {
        delivery_id: delivery.delivery_id,
        attempt: delivery.attempt,
        generation: delivery.generation,
        status: response.status,
        error: response.error,
        ms: response.ms,
        response_headers: response.headers,
        response_body: response.body?.text,
        response_body_b64: response.body?.b64,
        response_truncated: response.body?.truncated,
        response_note: response.body?.note,
      })
    } catch (error) {
      // The listener that took over gets the webhook again, and reports the response to it.
      if (isOwner && !(error instanceof ApiError && error.status === 404)) reporter.reportFailed(error)
      return undefined
    }
  }

  return {
    ended: read(),
    async drain() {
      await Promise.allSettled([...inFlight])
    },
    abandon() {
      abandoned = true
      return inFlight.size
    },
    async close() {
      if (isOwner) await listeners.close(listener.id)
    },
  }
}

function createStream({ client, listener, reopen }: ConnectionOptions, timeout: string | undefined) {
  const { listeners } = client.control
  let isNewListener = false
  return {
    /** Opens the stream. If the server no longer has the listener, for example after a reset, creates it again. */
    async connect(_lastEventId: string | undefined, signal: AbortSignal): Promise<FetchResponse> {
      const response = await listeners.stream(listener.id, { timeout, signal })
      isNewListener = response.status === 404
      if (!isNewListener) return response
      await reopen()
      return await listeners.stream(listener.id, { timeout, signal })
    },
    /** Whether the last connection needed a new listener, which gets only webhooks from then on. */
    isNewListener: () => isNewListener,
  }
}

/**
 * If two `psp listen` processes open the same listener (same shop, URL, events and signature version), the older one
 * ends. Otherwise they would take the stream from each other forever.
 */
export class TakenOverError extends CliError {
  constructor() {
    super(
      'busy',
      'Another psp listen now forwards to the same URL, so this one ends.',
      'To run both, forward to different addresses or select different --events.',
      'taken_over',
    )
  }
}
