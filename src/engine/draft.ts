import type { Refusal } from '../domain/errors.ts'
import type { StreamKind, StreamMessage } from '../domain/events.ts'
import type { Refund } from '../domain/refund.ts'
import type { Mode, Shop } from '../domain/shop.ts'
import type { SandboxTime } from '../domain/time.ts'
import type { Commit, Put } from './commit.ts'
import type { Context } from './ports.ts'
import type { TableName, Tables, TimerKind } from './tables.ts'
import type { World } from './world.ts'

const TIMERS_PER_COMMIT = 2 ** 20

/** A commit while it is being decided. Reads see what was put so far; the world itself is not touched. */
export class Draft {
  readonly world: World
  readonly context: Context
  readonly #puts = new Map<string, Put>()
  readonly #deletes = new Map<string, { table: TableName; id: string }>()
  readonly #stream: StreamMessage[] = []
  #timers = 0

  constructor(world: World, context: Context) {
    this.world = world
    this.context = context
  }

  get now(): SandboxTime {
    return this.context.now
  }

  get<T extends TableName>(table: T, id: string): Tables[T] | undefined {
    const key = `${table} ${id}`
    if (this.#deletes.has(key)) return undefined
    const put = this.#puts.get(key)
    return put === undefined ? this.world.get(table, id) : (put.row as Tables[T])
  }

  put<T extends TableName>(table: T, row: Tables[T]): Tables[T] {
    const key = `${table} ${row.id}`
    this.#deletes.delete(key)
    this.#puts.set(key, { table, row } as unknown as Put)
    return row
  }

  delete(table: TableName, id: string): void {
    const key = `${table} ${id}`
    this.#puts.delete(key)
    if (this.world.get(table, id) !== undefined) this.#deletes.set(key, { table, id })
  }

  /** Refunds of a payment, oldest first, with those of this draft. */
  refundsOf(paymentId: string): readonly Refund[] {
    const stored = this.world.find('refunds', 'by_payment', paymentId)
    if (this.#puts.size === 0) return stored
    const known = stored.map((refund) => this.get('refunds', refund.id) ?? refund)
    for (const { table, row } of this.#puts.values()) {
      if (table === 'refunds' && row.payment_id === paymentId && !stored.some(({ id }) => id === row.id))
        known.push(row)
    }
    return known
  }

  shop(id: string): Shop {
    const shop = this.get('shops', id)
    if (shop === undefined) throw new Error(`The store has no shop ${id}, though a record of it is there.`)
    return shop
  }

  /** Sets the one timer of this kind for the object. */
  timer(kind: TimerKind, objectId: string, due: SandboxTime): void {
    // Commit by commit, and within one in the order of setting: a total order among timers of one instant.
    const seq = this.context.seq * TIMERS_PER_COMMIT + this.#timers++
    this.put('timers', { id: `${kind}:${objectId}`, kind, object_id: objectId, due, seq })
  }

  cancelTimer(kind: TimerKind, objectId: string): void {
    this.delete('timers', `${kind}:${objectId}`)
  }

  /** Spec 6.2: a message of the public stream. */
  tell(kind: StreamKind, about: { shop_id: string; mode: Mode }, payload: StreamMessage['payload']): void {
    this.#stream.push({ kind, shop_id: about.shop_id, mode: about.mode, at: this.now, payload })
  }

  commit<R>(reply: R, refusal?: Refusal): Commit<R> {
    const base = {
      clear: [],
      deletes: [...this.#deletes.values()],
      puts: [...this.#puts.values()],
      stream: this.#stream,
      reply,
    }
    return refusal === undefined ? base : { ...base, refusal }
  }
}
