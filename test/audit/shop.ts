// A merchant's webhook handler as a function, with its books. It is correct except for the replaced parts.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FetchLike, FetchResponse } from '../../src/client/fetch-like.ts'

interface Payment {
  id: string
  order_id: string
  amount: number
  amount_refunded: number
  status: string
  refunds: { amount: number }[]
}

export interface WebhookEvent {
  id: string
  event: string
  created_at: string
  data: Payment
}

export interface Request {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** Parts of a handler that a faulty one replaces. Each throws to respond with an error status. */
export interface Parts {
  /** The largest accepted body, in bytes. */
  limit: number
  /** The number of pieces of a body that the handler reads. */
  maxPieces: number
  parse(body: Buffer): WebhookEvent
  verify(request: Request, secret: string, now: number): void
  handle(event: WebhookEvent, books: Books): void
  /** Returns the status for an internal error. */
  failure(error: unknown): number
}

export class Refuse extends Error {
  readonly status: number
  constructor(status: number) {
    super(`refused with ${status}`)
    this.status = status
  }
}

/** Closes the connection without a response. */
export class Crash extends Error {
  readonly code = 'ECONNRESET'
}

/** The received payments, and the events that were counted. */
export class Books {
  readonly seen = new Set<string>()
  readonly received = new Map<string, { amount: number; refunded: number; order: string }>()
  readonly cancelled = new Set<string>()
  /** The total of handlers that count events and store no payments. */
  sum = 0

  /** Returns the minor units received and not refunded, of orders that were not cancelled. */
  balance(): number {
    let sum = this.sum
    for (const { amount, refunded, order } of this.received.values()) {
      if (!this.cancelled.has(order)) sum += amount - refunded
    }
    return sum
  }

  orderStatus(order: string): string | undefined {
    const payments = [...this.received.values()].filter((payment) => payment.order === order)
    if (payments.length === 0) return undefined
    if (this.cancelled.has(order)) return 'cancelled'
    // Sorted, because events arrive in any order.
    return payments
      .map(({ amount, refunded }) => `${amount - refunded}`)
      .sort()
      .join('+')
  }
}

export const hmac = (secret: string, ...parts: (string | Buffer)[]) => {
  const sum = createHmac('sha256', secret)
  for (const part of parts) sum.update(part)
  return sum.digest('hex')
}

export function partsOf(header: string | undefined): Record<string, string> {
  return Object.fromEntries((header ?? '').split(',').map((part) => part.split(/=(.*)/s).slice(0, 2)))
}

export function equal(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

export const RIGHT: Parts = {
  limit: 4 * 1024 * 1024,
  maxPieces: Number.POSITIVE_INFINITY,
  parse: (body) => JSON.parse(body.toString('utf8')) as WebhookEvent,
  verify({ headers, body }, secret, now) {
    const { t = '', v2 = '' } = partsOf(headers['x-psp-signature'])
    if (!/^\d{10}$/.test(t) || !equal(v2, hmac(secret, `${t}.`, body))) throw new Refuse(400)
    if (Math.abs(now / 1000 - Number(t)) > 300) throw new Refuse(400)
  },
  handle(event, books) {
    if (books.seen.has(event.id)) return
    books.seen.add(event.id)
    if (event.event === 'payment.succeeded' || event.event === 'payment.refunded') keepNewest(event, books)
  },
  failure: () => 500,
}

function keepNewest({ data }: WebhookEvent, books: Books): void {
  const known = books.received.get(data.id)
  const refunded = Math.max(known?.refunded ?? 0, data.amount_refunded)
  books.received.set(data.id, { amount: data.amount, refunded, order: data.order_id })
}

export interface Shop {
  readonly books: Books
  readonly fetch: FetchLike
}

/** @param now the time in ms since the epoch, for the freshness of signatures */
export function shop(secret: string, now: () => number, changed: Partial<Parts> = {}): Shop {
  const parts = { ...RIGHT, ...changed }
  const books = new Books()

  async function answer(request: Request): Promise<number> {
    try {
      if (request.body.length > parts.limit) return 413
      parts.verify(request, secret, now())
      parts.handle(parts.parse(request.body), books)
      return 200
    } catch (error) {
      if (error instanceof Crash) throw error
      if (error instanceof Refuse) return error.status
      return parts.failure(error)
    }
  }

  return {
    books,
    async fetch(_url, { headers, body, pieces }) {
      const chunks: Uint8Array[] = []
      if (pieces === undefined) chunks.push(Buffer.from(body as Uint8Array))
      else for await (const piece of pieces) if (chunks.length < parts.maxPieces) chunks.push(piece)
      const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
      const status = await answer({ headers: Object.fromEntries(lower), body: Buffer.concat(chunks) })
      return reply(status)
    },
  }
}

function reply(status: number): FetchResponse {
  return {
    status,
    headers: { get: () => null },
    body: (async function* () {
      yield Buffer.from(status < 300 ? 'ok' : `refused with ${status}`)
    })(),
    text: async () => '',
  }
}
