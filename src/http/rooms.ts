// The rooms of layer 2 as the HTTP layer sees them: as small as its routes need.
import type { Delivery } from '../domain/delivery.ts'
import type { Mode } from '../domain/shop.ts'

/** Opens public streams (spec 6.2). */
export interface PublicStreams {
  /**
   * One connection of a key: the bytes of an SSE body, `: connected` first. Cancelling it closes the connection.
   * @throws Refusal `stream_busy` where the settings refuse a second connection
   */
  open(reader: { readonly key_id: string; readonly shop_id: string; readonly mode: Mode }): ReadableStream<Uint8Array>
}

export interface Courier {
  /** Resolves with the delivery once the attempt that is due or under way is over. */
  attempted(deliveryId: string): Promise<Delivery>
}

export interface ControlHub {
  /** SSE bytes with ids, resumed after `lastEventId`. */
  open(lastEventId: string | undefined): ReadableStream<Uint8Array>
}

export interface Listeners {
  /** SSE bytes of one listener's deliveries; `undefined` for an unknown one. */
  open(listenerId: string): ReadableStream<Uint8Array> | undefined
}

export interface SnapshotInfo {
  readonly name: string
  readonly created_at: string
}

export interface Snapshots {
  list(): Promise<readonly SnapshotInfo[]>
  save(name: string, state: unknown): Promise<SnapshotInfo>
  load(name: string): Promise<unknown>
  remove(name: string): Promise<boolean>
}
