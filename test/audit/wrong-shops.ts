// Handlers with one bug each, and the check that must find it.
import { Crash, equal, hmac, type Parts, partsOf, Refuse, RIGHT } from './shop.ts'

export interface WrongShop {
  readonly bug: string
  readonly check: string
  readonly parts: Partial<Parts>
}

const SKEW = 300

function timely(t: string, now: number): void {
  if (Math.abs(now / 1000 - Number(t)) > SKEW) throw new Refuse(400)
}

/** Verifies the HMAC over the parts that `of` returns. */
function verifying(of: (t: string, body: Buffer) => (string | Buffer)[]): Parts['verify'] {
  return ({ headers, body }, secret, now) => {
    const { t = '', v2 = '' } = partsOf(headers['x-psp-signature'])
    if (!/^\d{10}$/.test(t) || !equal(v2, hmac(secret, ...of(t, body)))) throw new Refuse(400)
    timely(t, now)
  }
}

export const WRONG_SHOPS: readonly WrongShop[] = [
  {
    bug: 'accepts a webhook without a signature',
    check: 'missing_header',
    parts: {
      verify: (request, secret, now) =>
        request.headers['x-psp-signature'] === undefined ? undefined : RIGHT.verify(request, secret, now),
    },
  },
  {
    bug: 'accepts a header it cannot parse',
    check: 'garbage_header',
    parts: {
      verify(request, secret, now) {
        const header = request.headers['x-psp-signature'] ?? ''
        if (header.includes(';')) return
        RIGHT.verify(request, secret, now)
      },
    },
  },
  {
    bug: 'crashes on a header with non-ASCII characters',
    check: 'non_ascii_header',
    parts: {
      verify(request, secret, now) {
        const header = request.headers['x-psp-signature'] ?? ''
        if (/[^\x20-\x7e]/.test(header)) throw new Crash('socket hang up')
        RIGHT.verify(request, secret, now)
      },
    },
  },
  {
    bug: 'accepts old signatures',
    check: 'stale',
    parts: { verify: (request, secret, now) => RIGHT.verify(request, secret, Math.min(now, timeOf(request) * 1000)) },
  },
  {
    bug: 'accepts signatures from the future',
    check: 'future',
    parts: { verify: (request, secret, now) => RIGHT.verify(request, secret, Math.max(now, timeOf(request) * 1000)) },
  },
  {
    bug: 'compares v1= only',
    check: 'changed_time',
    parts: {
      verify({ headers, body }, secret, now) {
        const { t = '', v1 = '' } = partsOf(headers['x-psp-signature'])
        if (!/^\d{10}$/.test(t) || !equal(v1, hmac(secret, body))) throw new Refuse(400)
        timely(t, now)
      },
    },
  },
  {
    bug: 'throws on an unknown event',
    check: 'unknown_event',
    parts: {
      handle(event, books) {
        if (!KNOWN.includes(event.event)) throw new Error(`unknown event ${event.event}`)
        RIGHT.handle(event, books)
      },
    },
  },
  {
    bug: 'has a strict schema',
    check: 'unknown_fields',
    parts: {
      handle(event, books) {
        if (Object.keys(event).length > 4) throw new Refuse(422)
        RIGHT.handle(event, books)
      },
    },
  },
  {
    bug: 'decodes the body as Latin-1',
    check: 'cyrillic',
    parts: { verify: verifying((t, body) => [`${t}.`, Buffer.from(body.toString('latin1'))]) },
  },
  {
    bug: 'measures the body in characters',
    check: 'cyrillic',
    parts: { verify: verifying((t, body) => [`${t}.`, body.subarray(0, body.toString().length)]) },
  },
  {
    bug: 'parses the body and serializes it again',
    check: 'raw_body',
    parts: { verify: verifying((t, body) => [`${t}.`, JSON.stringify(JSON.parse(body.toString()))]) },
  },
  { bug: 'reads only the first piece of the body', check: 'slow_body', parts: { maxPieces: 1 } },
  { bug: 'has a body limit of 100 kB', check: 'large_metadata', parts: { limit: 100 * 1024 } },
  {
    bug: 'counts every delivery',
    check: 'duplicates',
    parts: {
      handle({ event, data }, books) {
        if (event === 'payment.succeeded') books.sum += data.amount
        if (event === 'payment.refunded') books.sum -= data.refunds.at(-1)?.amount ?? 0
      },
    },
  },
  {
    bug: 'counts payments once and each delivery of a refund',
    check: 'duplicates',
    parts: {
      handle({ event, data }, books) {
        const known = books.received.has(data.id)
        if (event === 'payment.succeeded' && !known)
          books.received.set(data.id, { amount: data.amount, refunded: 0, order: data.order_id })
        if (event === 'payment.refunded') books.sum -= data.refunds.at(-1)?.amount ?? 0
      },
    },
  },
  {
    bug: 'responds 409 to a repeated event',
    check: 'duplicates',
    parts: {
      handle(event, books) {
        if (books.seen.has(event.id)) throw new Refuse(409)
        RIGHT.handle(event, books)
      },
    },
  },
  {
    bug: 'lets the last event win',
    check: 'out_of_order',
    parts: {
      handle({ event, data }, books) {
        if (event !== 'payment.succeeded' && event !== 'payment.refunded') return
        books.received.set(data.id, { amount: data.amount, refunded: data.amount_refunded, order: data.order_id })
      },
    },
  },
  {
    bug: 'ignores a refund before its payment',
    check: 'out_of_order',
    parts: {
      handle(event, books) {
        if (event.event === 'payment.refunded' && !books.received.has(event.data.id)) return
        RIGHT.handle(event, books)
      },
    },
  },
  {
    bug: 'treats a partial refund as a full one',
    check: 'partial_refunds',
    parts: {
      handle(event, books) {
        const whole = event.event === 'payment.refunded' ? event.data.amount : 0
        RIGHT.handle({ ...event, data: { ...event.data, amount_refunded: whole } }, books)
      },
    },
  },
  {
    bug: 'remembers payments instead of events',
    check: 'partial_refunds',
    parts: { handle: (event, books) => RIGHT.handle({ ...event, id: `${event.event} ${event.data.id}` }, books) },
  },
  {
    bug: 'cancels the order when one of its payments expires',
    check: 'late_expiry',
    parts: {
      handle(event, books) {
        if (event.event === 'payment.expired') books.cancelled.add(event.data.order_id)
        RIGHT.handle(event, books)
      },
    },
  },
]

const KNOWN = ['payment.succeeded', 'payment.refunded', 'payment.expired']

function timeOf({ headers }: { headers: Readonly<Record<string, string>> }): number {
  return Number(partsOf(headers['x-psp-signature'])['t'])
}
