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

/** Waits for a time on the clock of the test. */
export type Sleep = (ms: number) => Promise<void>

export interface NamedHandler {
  readonly name: string
  create(): Handler
}

/** Creates the handler of a list whose name contains the text. */
export function createNamed(handlers: readonly NamedHandler[], part: string): Handler {
  const found = handlers.find(({ name }) => name.includes(part))
  if (found === undefined) throw new Error(`No handler is named "${part}".`)
  return found.create()
}

/** A handler that works after its response. It shares the clock of what examines it. */
export interface LateHandler {
  readonly name: string
  create(sleep: Sleep): Handler
}

/** Lets a handler work in a queue, after its response. Each event takes `ms`. */
export function behindQueue(handler: Handler, sleep: Sleep, ms: number): Handler {
  const oneByOne = createLock()
  return {
    ...handler,
    async handle(event) {
      void oneByOne(async () => {
        await sleep(ms)
        await handler.handle(event)
      })
      return 200
    },
  }
}

/** A turn of the event loop, as a query of a database takes. */
export function query(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Runs one task after another, as a transaction with a lock does. */
function createLock(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const run = last.then(task, task)
    last = run.catch(() => {})
    return run
  }
}
