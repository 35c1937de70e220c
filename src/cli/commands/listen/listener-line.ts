// One listener: its stream of deliveries, each forwarded as it comes, and its way back after a loss.
import type { Client } from '../../../client/client.ts'
import { ApiError } from '../../../client/errors.ts'
import type { FetchResponse } from '../../../client/fetch-like.ts'
import { follow } from '../../../client/follow.ts'
import type { ListenerDelivery, ListenerVerdict, ListenerView } from '../../../client/listener-types.ts'
import { formatDuration } from '../../../domain/time.ts'
import type { Session } from '../../session.ts'
import type { Forwarded, Forwarder } from './forwarder.ts'
import type { Reporter } from './reporter.ts'
import { TakenOverError } from './takeover.ts'

export interface ListenerLine {
  /** Settles when the signal came, or rejects when there is no way to go on. */
  readonly ended: Promise<void>
  /** Waits for what is under way. */
  drain(): Promise<void>
  /** Nothing is told or reported any more. @returns how much was still under way */
  abandon(): number
  /** Ends the listener on the server. */
  close(): Promise<void>
}

export interface LineOptions {
  readonly client: Client
  readonly listener: ListenerView
  readonly reopen: () => Promise<ListenerView>
  /** Called when its stream is open for the first time. */
  readonly onOpen: () => void
  /** Resolves when every listener is open: nothing is forwarded, and nothing told, before. */
  readonly allOpen: Promise<void>
  /** Answers that have come and are not told yet, of every listener. */
  readonly untold: Set<Promise<void>>
  /** ms a receiver gets; absent: what the service gives. */
  readonly timeout: number | undefined
  readonly forwarder: Forwarder
  readonly reporter: Reporter
  readonly session: Session
}

export function listenerLine(options: LineOptions): ListenerLine {
  const { client, listener, reopen, untold, forwarder, reporter, session } = options
  const { listeners } = client.control
  const underWay = new Set<Promise<void>>()
  const timeout = options.timeout === undefined ? undefined : formatDuration(options.timeout)
  let mine = true
  /** How many times the state of the sandbox was replaced. */
  let resets = 0
  let abandoned = false

  /** A server that lost the listener (a reset, another data directory) gets it anew. */
  async function connect(_lastEventId: string | undefined, signal: AbortSignal): Promise<FetchResponse> {
    const reply = await listeners.stream(listener.id, { timeout, signal })
    if (reply.status !== 404) return reply
    await reopen()
    return await listeners.stream(listener.id, { timeout, signal })
  }

  async function read(): Promise<void> {
    const messages = follow({
      connect,
      timers: session.host.wall,
      signal: session.signals.ended,
      onState: (state) => {
        reporter.state(state)
        if (state.state === 'open' && !state.again) options.onOpen()
      },
    })
    for await (const { event, data } of messages) {
      if (event === 'replaced') {
        mine = false
        throw new TakenOverError()
      }
      if (event === 'reset') resets++
      if (event !== 'delivery') continue
      const job = handle(JSON.parse(data) as ListenerDelivery)
        .catch(reporter.notReported)
        .finally(() => underWay.delete(job))
      underWay.add(job)
    }
  }

  async function handle(delivery: ListenerDelivery): Promise<void> {
    const before = resets
    await options.allOpen
    // An answer stands under its own request. A clock that is moved sends the next attempt as soon as it has the answer
    // to this one, on a connection of its own.
    await Promise.all(untold)
    if (resets !== before) return
    reporter.event(delivery)
    const answer = await forwarder.forward(delivery)
    if (abandoned) return
    const telling = (resets === before ? report(delivery, answer) : Promise.resolve(undefined))
      .then((verdict) => reporter.attempt(delivery, answer, verdict))
      .finally(() => untold.delete(settled))
    const settled = telling.catch(() => {})
    untold.add(settled)
    await telling
  }

  /** `undefined` where the server did not take it: it will send the delivery again. */
  async function report(delivery: ListenerDelivery, answer: Forwarded): Promise<ListenerVerdict | undefined> {
    try {
      return await listeners.report(listener.id, {
        delivery_id: delivery.delivery_id,
        attempt: delivery.attempt,
        generation: delivery.generation,
        status: answer.status,
        error: answer.error,
        ms: answer.ms,
        response_headers: answer.headers,
        response_body: answer.body?.text,
        response_body_b64: answer.body?.b64,
        response_truncated: answer.body?.truncated,
        response_note: answer.body?.note,
      })
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 404)) reporter.notReported(error)
      return undefined
    }
  }

  return {
    ended: read(),
    async drain() {
      await Promise.allSettled([...underWay])
    },
    abandon() {
      abandoned = true
      return underWay.size
    },
    async close() {
      if (mine) await listeners.close(listener.id)
    },
  }
}
