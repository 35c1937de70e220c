import { type ControlHub, createControlHub } from '../delivery/control-hub.ts'
import { createDispatcher } from '../delivery/dispatcher.ts'
import type { WebhookDispatcher } from '../delivery/dispatcher-types.ts'
import { createListenerHub, type ListenerHub } from '../delivery/listener-hub.ts'
import { createStreamHub, type StreamHub } from '../delivery/stream-hub.ts'
import type { SandboxTime } from '../domain/time.ts'
import { replacesState } from '../engine/commit.ts'
import { showRequestWithoutBodies } from '../http/control/requests.ts'
import { createRequestLog, type LoggedRequest, type RequestLog } from '../http/request-log.ts'
import { createTransport } from '../receiver-client/undici-transport.ts'
import { reportAndContinue } from '../system-clock/system-clock.ts'
import { syncTimers } from '../time/sync-timers.ts'
import type { Core } from './core.ts'
import type { Assembly } from './sandbox-types.ts'

/** Sends what commits cause: webhooks and stream messages. */
export interface Outputs {
  readonly streams: StreamHub
  readonly controlHub: ControlHub
  readonly listeners: ListenerHub
  readonly dispatcher: WebhookDispatcher
  readonly requestLog: RequestLog
  /** Aborted on close, when the attempts in flight have ended or their grace period is over. */
  readonly closing: AbortSignal
  /** @param settled resolves when no step is in flight; attempts that steps started may use the transport until then */
  close(grace_ms: number, settled: Promise<void>): Promise<void>
}

export function createOutputs({ engine, timeline }: Core, options: Assembly): Outputs {
  const { systemClock } = options
  const { world } = engine
  const { now } = timeline
  const ended = new AbortController()
  const onInternalError = reportAndContinue(options.notice, options.onInternalError)
  const scheduleAttempt = (delivery_id: string, due: SandboxTime, in_backlog?: true) =>
    void engine.execute('postpone_delivery', { delivery_id, due, ...(in_backlog && { in_backlog }) })
  const streams = createStreamHub(engine, systemClock)
  const requestLog = createRequestLog(
    () => world.settings['retention.requests'],
    () => engine.generation,
  )
  const controlHub = createControlHub({
    world,
    systemClock,
    now,
    presentRequest: (entry) => showRequestWithoutBodies(entry as LoggedRequest),
    onInternalError,
  })
  requestLog.listen((entry) => controlHub.addRequest(entry))
  const listeners = createListenerHub({ world, systemClock, now, scheduleAttempt })
  const ownTransport = options.transport === undefined ? createTransport(systemClock) : undefined
  const transport = options.transport ?? (ownTransport as NonNullable<typeof ownTransport>).send
  const dispatcher = createDispatcher({
    engine,
    transport,
    systemClock,
    now,
    scheduleAttempt,
    listeners,
    onInternalError,
  })

  engine.onCommit((commit, command, at) => {
    syncTimers(timeline, commit, command, systemClock)
    dispatcher.onCommit(commit, command, at)
    if (replacesState(commit)) listeners.abandonForwards()
  })
  engine.onWritten((commit, command, at) => {
    try {
      streams.onCommit(commit, command, at)
      listeners.onCommit(commit, command, at)
      controlHub.onCommit(commit, command, at)
      if (replacesState(commit)) requestLog.clear()
    } catch (error) {
      onInternalError(error)
    }
  })

  return {
    streams,
    controlHub,
    listeners,
    dispatcher,
    requestLog,
    closing: ended.signal,
    async close(grace_ms, settled) {
      await dispatcher.close({ grace_ms })
      ended.abort()
      streams.close()
      controlHub.close()
      listeners.close()
      await settled
      await ownTransport?.close()
    },
  }
}
