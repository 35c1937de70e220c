// A merchant's webhook handler in this process: events in, a status out, and its state for the probes.
export interface WebhookEvent {
  readonly id: string
  readonly event: string
  readonly created_at: string
  readonly data: {
    readonly id: string
    readonly order_id?: string
    readonly amount: number
    readonly amount_refunded: number
    readonly status: string
    readonly refunds?: readonly { readonly id: string; readonly amount: number; readonly status: string }[]
  }
}

export interface Handler {
  /** Returns the HTTP status. A rejection is a 500. */
  handle(event: WebhookEvent): Promise<number>
  /** The value of `orders/{order_id}`. `undefined` is a 404. */
  order(id: string): unknown
  /** The value of `balance`. */
  balance(): unknown
  /** Creates an order. Most handlers accept unknown orders. */
  create?(order: string): void
}

export interface NamedHandler {
  readonly name: string
  /** The handler works with real timers, or in a queue. */
  readonly isRealTime?: true
  create(): Handler
}

/** A turn of the event loop, as a query of a database takes. */
export function query(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Runs one task after another, as a transaction with a lock does. */
export function createLock(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const run = last.then(task, task)
    last = run.catch(() => {})
    return run
  }
}
