/** A Map by payment id. If it has more than `limit` entries, it drops the one that was set first. */
export class BoundedMap<V> extends Map<string, V> {
  readonly #limit: number

  constructor(limit: number) {
    super()
    this.#limit = limit
  }

  override set(paymentId: string, value: V): this {
    this.delete(paymentId)
    super.set(paymentId, value)
    const [oldest] = this.keys()
    if (this.size > this.#limit && oldest !== undefined) this.delete(oldest)
    return this
  }
}
