import type { RefusalError } from '../domain/errors.ts'
import type { StreamKind, StreamMessage } from '../domain/events.ts'
import type { Refund } from '../domain/refund.ts'
import type { Mode, Shop } from '../domain/shop.ts'
import type { SandboxTime } from '../domain/time.ts'
import { type Commit, type Delete, type Put, put, type RetentionCursor } from './commit.ts'
import type { Context } from './ports.ts'
import { RowList } from './row-list.ts'
import type { ROW_TIMERS, TableName, Tables } from './tables.ts'
import type { World } from './world.ts'

const TIMERS_PER_COMMIT = 2 ** 20

type RowTimer = (typeof ROW_TIMERS)[number]

/** A commit under construction. Its methods read its changes too; `draft.world` does not contain them. */
export class Draft {
  readonly world: World
  readonly context: Context
  readonly #puts = new RowList<Put>(({ row }) => row.id)
  readonly #deletes = new RowList<Delete>(({ id }) => id)
  readonly #stream: StreamMessage[] = []
  readonly #reserved: { count: number }
  #retentionCursor: RetentionCursor | undefined

  constructor(world: World, context: Context) {
    this.world = world
    this.context = context
    this.#reserved = context.reserved ?? { count: 0 }
  }

  get now(): SandboxTime {
    return this.context.now
  }

  get<T extends TableName>(table: T, id: string): Tables[T] | undefined {
    if (this.#deletes.find(table, id) !== undefined) return undefined
    const put = this.#puts.find(table, id)
    return put === undefined ? this.world.get(table, id) : (put.row as Tables[T])
  }

  put<T extends TableName>(table: T, row: Tables[T]): Tables[T] {
    this.#deletes.drop(table, row.id)
    this.#puts.set(put(table, row))
    return row
  }

  delete(table: TableName, id: string): void {
    this.#puts.drop(table, id)
    if (this.world.get(table, id) !== undefined) this.#deletes.set({ table, id })
  }

  /** The position at which the last retention scan stopped. Scans of this draft count too. */
  get retentionCursor(): RetentionCursor {
    return this.#retentionCursor ?? this.world.retentionCursor
  }

  set retentionCursor(cursor: RetentionCursor) {
    this.#retentionCursor = cursor
  }

  /** Returns the refunds of a payment, oldest first, including those of this draft. */
  refundsOf(paymentId: string): readonly Refund[] {
    const stored = this.world.find('refunds', 'by_payment', paymentId)
    if (this.#puts.rows.length === 0) return stored
    const refunds = [...stored]
    for (const { table, row } of this.#puts.rows) {
      if (table !== 'refunds' || row.payment_id !== paymentId) continue
      const place = refunds.findIndex(({ id }) => id === row.id)
      if (place < 0) refunds.push(row)
      else refunds[place] = row
    }
    return refunds
  }

  shop(id: string): Shop {
    const shop = this.get('shops', id)
    if (shop === undefined) throw new Error(`The store contains rows of the shop ${id}, but not the shop itself.`)
    return shop
  }

  /**
   * Sets the timer of this kind for the object, replacing an earlier one.
   * @param seq order among timers that are due at the same time; default: the order in which they are set
   */
  setTimer(kind: RowTimer, objectId: string, due: SandboxTime, seq = this.reserveTimerSeq(1)): void {
    this.put('timers', { id: `${kind}:${objectId}`, kind, object_id: objectId, due, seq })
  }

  /**
   * Reserves `count` consecutive sequence numbers, by which timers that are due at the same time are sorted.
   * @returns the first of them
   */
  reserveTimerSeq(count: number): number {
    const first = this.context.commitNumber * TIMERS_PER_COMMIT + this.#reserved.count
    this.#reserved.count += count
    return first
  }

  cancelTimer(kind: RowTimer, objectId: string): void {
    this.delete('timers', `${kind}:${objectId}`)
  }

  /** Adds a message of the public stream (Spec 6.2). */
  emit(kind: StreamKind, about: { shop_id: string; mode: Mode }, payload: StreamMessage['payload']): void {
    this.#stream.push({ kind, shop_id: about.shop_id, mode: about.mode, at: this.now, payload })
  }

  commit<R>(result: R): Commit<R> {
    const commit = { clear: [], deletes: this.#deletes.rows, puts: this.#puts.rows, stream: this.#stream, result }
    return this.#retentionCursor === undefined ? commit : { ...commit, retention_cursor: this.#retentionCursor }
  }

  /** Returns a commit that stores the use counts of rules. The engine then throws the refusal. */
  commitRefusal(refusal: RefusalError): Commit<never> {
    return { ...this.commit(undefined as never), refusal }
  }
}
