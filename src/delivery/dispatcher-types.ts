import type { Delivery } from '../domain/delivery.ts'
import type { SandboxTime } from '../domain/time.ts'
import type { Engine } from '../engine/engine.ts'
import type { CommitListener } from '../engine/ports.ts'
import type { Transport } from '../receiver-client/transport.ts'
import type { ConcurrencyLimits } from './concurrency-limiter.ts'
import type { ListenerHub } from './listener-hub.ts'
import type { WallPort } from './ports.ts'

export interface DispatcherPorts {
  readonly engine: Pick<Engine, 'world' | 'execute' | 'written' | 'generation'>
  readonly transport: Transport
  readonly wall: Pick<WallPort, 'now' | 'monotonic' | 'setTimeout' | 'nextTurn'>
  /** The sandbox's clock. */
  now(): SandboxTime
  /** Sets the delivery's timer anew: `deliver` is called again once the sandbox's clock shows `due`. */
  rearm(deliveryId: string, due: SandboxTime): void
  readonly listeners: Pick<ListenerHub, 'connected' | 'park' | 'send'>
  readonly limits?: ConcurrencyLimits
}

export interface WebhookDispatcher {
  /**
   * Makes the attempt that is due. Resolves when it was recorded, or put off: by a fault, or since its listener is away.
   * Rejects where the disk refuses what it tells of, which then does not leave, or its record.
   */
  deliver(deliveryId: string): Promise<void>
  /** True while an attempt is on its way: the status `sending`. */
  inFlight(deliveryId: string): boolean
  /**
   * Resolves with the delivery once the attempt that is due or under way is over.
   * @throws Refusal `not_found` where there is no such delivery (any more)
   */
  attempted(deliveryId: string): Promise<Delivery>
  /** Attempts under way and waiting for their turn. */
  count(): { readonly sending: number; readonly queued: number }
  /** Resolves when nothing is under way. */
  idle(): Promise<void>
  /** Removed faults release what they held. A commit that replaces the state abandons every attempt. */
  committed: CommitListener
  /** Starts nothing more, waits up to `grace_ms` of wall time for what is under way; the rest goes out after a restart. */
  close(options: { readonly grace_ms: number }): Promise<void>
}
