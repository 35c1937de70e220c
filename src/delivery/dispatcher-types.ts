import type { Delivery } from '../domain/delivery.ts'
import type { SandboxTime } from '../domain/time.ts'
import type { Engine } from '../engine/engine.ts'
import type { CommitListener } from '../engine/ports.ts'
import type { Transport } from '../receiver-client/transport.ts'
import type { SystemClock } from '../system-clock/system-clock.ts'
import type { ConcurrencyLimits } from './concurrency-limiter.ts'
import type { ListenerHub } from './listener-hub.ts'

export interface DispatcherPorts {
  readonly engine: Pick<Engine, 'world' | 'execute' | 'written' | 'generation'>
  readonly transport: Transport
  readonly systemClock: Pick<SystemClock, 'now' | 'monotonic' | 'setTimeout' | 'nextTurn'>
  now(): SandboxTime
  /** Resets the delivery's timer: `deliver` is called again when the sandbox's clock reaches `due`. */
  scheduleAttempt(deliveryId: string, due: SandboxTime): void
  readonly listeners: Pick<ListenerHub, 'isConnected' | 'park' | 'send'>
  readonly limits?: ConcurrencyLimits
  /** Called with an internal error of background work. */
  onInternalError(error: unknown): void
}

export interface WebhookDispatcher {
  /**
   * Makes the attempt that is due. Resolves when it was recorded, was deferred by a fault or an absent listener, or is
   * no longer needed. Rejects if the commit that caused it could not be written (then nothing was sent), or if the
   * result cannot be stored.
   */
  deliver(deliveryId: string): Promise<void>
  /** True while an attempt is in flight: the status `sending`. */
  isInFlight(deliveryId: string): boolean
  /**
   * Resolves with the delivery when the attempt that is due or in flight is over.
   * @throws RefusalError `not_found` if the delivery does not exist (any more)
   */
  waitForAttempt(deliveryId: string): Promise<Delivery>
  count(): { readonly sending: number; readonly queued: number }
  /** Resolves when no attempt is queued or in flight. */
  idle(): Promise<void>
  /** Handles a commit: removed faults release their attempts, and a replaced state abandons every attempt. */
  onCommit: CommitListener
  /**
   * Starts no more attempts, and waits up to `grace_ms` of real time for attempts in flight. Unfinished attempts are
   * made again after a restart.
   */
  close(options: { readonly grace_ms: number }): Promise<void>
}
