// The examples of the public API: requests to a sandbox with a fixed seed and clock, and its responses.
import { readSse } from '../../src/client/follow.ts'
import { STREAM_KINDS, WEBHOOK_EVENTS } from '../../src/domain/events.ts'
import { assembleSandbox, type Sandbox } from '../../src/sandbox.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'

const PAYMENT = {
  amount: 150_000,
  currency: 'RUB',
  method: 'sbp',
  order_id: 'A-1001',
  customer_id: 'c-7',
  return_url: 'https://shop.example/thanks?order=A-1001',
  description: 'Order A-1001',
  metadata: { basket: '42' },
}
const REFUND = { amount: 50_000, reason: 'One of three items came back' }
const PAYOUT = { amount: 250_000, phone: '+79161234567', bank_id: '100000000111', full_name: 'Ivan Petrov' }
/** The number of banks in the example. */
const BANKS = 2

type Json = Record<string, never>

export async function makeApiExamples() {
  const sandbox = await assembleSandbox({
    randomSeed: 1,
    clock: { mode: 'frozen' },
    holdDeliveries: true,
    payUrl: 'http://127.0.0.1:7770',
    systemClock: createSystemClock(),
  })
  try {
    const caller = callerOf(sandbox)
    const messages = streamOf(await caller.open('/events'))
    const operations = { ...(await payments(caller)), ...(await payouts(caller)), ...(await others(caller)) }
    await otherEnds(caller)
    const webhooks = Object.fromEntries(WEBHOOK_EVENTS.map((name) => [name, eventOf(sandbox, name)]))
    const stream = await firstOfEach(messages)
    return { operations: { ...operations, streamEvents: { responses: {} } }, webhooks, stream }
  } finally {
    await sandbox.close({ grace_ms: 0 })
  }
}

type Caller = ReturnType<typeof callerOf>

function callerOf(sandbox: Sandbox) {
  const { api_key } = sandbox.defaultShop()
  const send = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    sandbox.fetch(
      new Request(`http://127.0.0.1:7770/v1/public${path}`, {
        method,
        headers: { Authorization: `Bearer ${api_key}`, 'Content-Type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    )
  return {
    open: (path: string) => send('GET', path),
    get: async (path: string) => (await send('GET', path)).json() as Promise<Json>,
    post: async (path: string, body?: object, headers?: Record<string, string>) =>
      (await send('POST', path, body, headers)).json() as Promise<Json>,
    advance: async (ms: number) => void (await sandbox.timeline.advance({ by: ms })),
  }
}

async function payments({ get, post, advance }: Caller) {
  const made = await twice(post, '/payments', PAYMENT, 'order-A-1001')
  const id = idOf(made[201], 'payment')
  await advance(2000)
  const refunded = await twice(post, `/payments/${id}/refund`, REFUND, 'refund-A-1001')
  const shown = await get(`/payments/${id}`)
  const second = idOf(await post('/payments', { amount: 99_000 }), 'payment')
  return {
    createPayment: { request: PAYMENT, responses: made },
    getPayment: { responses: { 200: shown } },
    cancelPayment: { responses: { 200: await post(`/payments/${second}/cancel`) } },
    refundPayment: { request: REFUND, responses: refunded },
  }
}

async function payouts({ get, post, advance }: Caller) {
  const made = await twice(post, '/payouts', PAYOUT, 'salary-1')
  await advance(1000)
  const shown = await get(`/payouts/${idOf(made[201], 'payout')}`)
  return { createPayout: { request: PAYOUT, responses: made }, getPayout: { responses: { 200: shown } } }
}

async function others({ get }: Caller) {
  const { items = [] } = (await get('/banks/sbp')) as { items?: unknown[] }
  return { listBanks: { responses: { 200: { items: items.slice(0, BANKS) } } } }
}

/** Provokes the outcomes that the other examples do not contain. */
async function otherEnds({ post, advance }: Caller): Promise<void> {
  const as = (plan: string) => ({ 'X-PSP-Simulate': plan })
  await post('/payments', { amount: 240_000, method: 'cards' }, as('failed:insufficient_funds'))
  await post('/payments', { amount: 70_000, method: 'sbp' }, as('pending'))
  await post('/payouts', PAYOUT, as('failed:recipient_not_found'))
  await advance(21 * 60_000)
}

async function twice(post: Caller['post'], path: string, body: object, key: string) {
  const headers = { 'Idempotency-Key': key }
  return { 201: await post(path, body, headers), 200: await post(path, body, headers) }
}

function idOf(answer: Json, name: 'payment' | 'payout'): string {
  return (answer as unknown as Record<string, { id: string }>)[name]?.id ?? ''
}

function eventOf({ engine: { world } }: Sandbox, name: string): Json {
  const row = [...world.rows('events')].find(({ event }) => event === name)
  return JSON.parse(row?.body ?? 'null')
}

function streamOf({ body }: Response): AsyncGenerator<{ kind: string }> {
  return (async function* () {
    for await (const { data } of readSse(body as unknown as AsyncIterable<Uint8Array>)) yield JSON.parse(data)
  })()
}

async function firstOfEach(messages: AsyncGenerator<{ kind: string }>) {
  const first = new Map<string, unknown>()
  for await (const message of messages) {
    if (!first.has(message.kind)) first.set(message.kind, message)
    if (first.size === STREAM_KINDS.length) break
  }
  return Object.fromEntries(STREAM_KINDS.map((kind) => [kind, first.get(kind)]))
}
