// Shops that trust the return address, and shops that do not.
import { describe, expect, test } from 'vitest'
import { createProbe } from '../../src/audit/probe.ts'
import { returnCheck } from '../../src/audit/return-check.ts'
import { runAudit } from '../../src/audit/run.ts'
import { createSend } from '../../src/audit/send.ts'
import type { FetchLike, FetchResponse } from '../../src/client/fetch-like.ts'
import { seededRandomness } from '../../src/random.ts'
import { SECRET, systemClock } from './fixtures.ts'
import { Refuse, shop } from './shop.ts'

interface Visit {
  readonly path: string
  /** The status in the address. */
  readonly claimed: string
  readonly order: string
  readonly payment: string
  readonly cookie: string
}

type PageReply = string | { status?: number; headers?: Record<string, string>; body?: string }

/** Renders a page from the visit and from the orders that the shop knows by webhooks. */
type Pages = (visit: Visit, orders: Map<string, string>) => PageReply

const html = (body: string) => `<!doctype html><html><head><title>Shop</title></head><body>${body}</body></html>`

async function audited(pages: Pages, probes: readonly ('order' | 'count')[] = [], fails?: (event: string) => void) {
  const orders = new Map<string, string>()
  const made = shop(SECRET, systemClock.now, {
    handle({ event, data }) {
      fails?.(event)
      orders.set(data.order_id, event === 'payment.succeeded' ? 'paid' : 'unpaid')
    },
  })
  const fetch: FetchLike = async (url, init) => {
    if (init.method !== 'GET') return await made.fetch(url, init)
    const { pathname, searchParams } = new URL(url)
    const reply = pages(
      {
        path: pathname,
        claimed: searchParams.get('status') ?? '',
        order: searchParams.get('order') ?? '',
        payment: searchParams.get('payment_id') ?? '',
        cookie: init.headers['Cookie'] ?? '',
      },
      orders,
    )
    return typeof reply === 'string' ? replyOf({ body: reply }) : replyOf(reply)
  }
  const random = seededRandomness(1)
  let count = 0
  const { checks } = await runAudit({
    target: 'http://shop.test/hooks',
    checks: [returnCheck('http://shop.test/thanks?order={order_id}')],
    values: () => ({
      secret: SECRET,
      now: systemClock.now(),
      random,
      amount: 150_000,
      order: () => `order-${++count}`,
      metadata: {},
    }),
    send: createSend({ url: 'http://shop.test/hooks', fetch, timeout: 15_000, pause: 1, headers: [], systemClock }),
    probes: probes.map((kind) =>
      createProbe({
        label: kind,
        isPerOrder: kind === 'order',
        settleTime: 1,
        systemClock,
        read: async ({ order_id }) => ({
          text:
            kind === 'order'
              ? JSON.stringify({ id: order_id, status: orders.get(order_id) ?? 'new' })
              : String([...orders.values()].filter((state) => state === 'paid').length * 1500),
        }),
      }),
    ),
    known: [],
  })
  return checks[0] ?? expect.fail()
}

function replyOf({ status = 200, headers = {}, body = '' }: Exclude<PageReply, string>): FetchResponse {
  return {
    status,
    headers: { get: (name) => headers[name] ?? null },
    body: (async function* () {
      yield Buffer.from(body)
    })(),
    text: async () => body,
  }
}

const redirect = (location: string, cookie?: string): PageReply => ({
  status: 302,
  headers: { location, ...(cookie === undefined ? {} : { 'set-cookie': cookie }) },
})

const BELIEVING: readonly (readonly [string, Pages])[] = [
  [
    'shows the status of the address',
    ({ claimed }) => html(claimed === 'succeeded' ? '<h1>Paid!</h1>' : '<h1>Failed</h1>'),
  ],
  [
    'shows the status next to changing content',
    ({ claimed, order, payment }) =>
      html(`<p>Order ${order}, payment ${payment}, at 2026-05-06T12:0${order.at(-1)}:00Z</p><b>${claimed}</b>`),
  ],
  ['shows the status in a class', ({ claimed }) => html(`<div class="badge badge-${claimed}"></div>`)],
  ['shows the status in a picture', ({ claimed }) => html(`<img src="/${claimed}.svg" alt="">`)],
  ['returns the status as JSON', ({ claimed, order }) => JSON.stringify({ order, state: claimed })],
  [
    'redirects by the status',
    ({ path, claimed }) =>
      path === '/thanks' ? redirect(claimed === 'succeeded' ? '/paid' : '/failed') : html('Hello'),
  ],
  [
    'keeps the status in a session',
    ({ path, claimed, cookie }) =>
      path === '/thanks'
        ? redirect('/order', `flash=${claimed}; Path=/; Expires=Wed, 06 May 2026 13:00:00 GMT, other=1`)
        : html(cookie.includes('flash=succeeded') ? 'Thank you for your payment' : 'Please try again'),
  ],
]

const DOUBTING: readonly (readonly [string, Pages])[] = [
  ['shows the state of the order', ({ order }, orders) => html(orders.get(order) === 'paid' ? 'Paid' : 'Not paid')],
  [
    'reports that it checks a status that does not match',
    ({ claimed, order }, orders) => {
      const isPaid = orders.get(order) === 'paid'
      if (isPaid === (claimed === 'succeeded')) return html(isPaid ? 'Paid' : 'Not paid')
      return html('We are checking your payment')
    },
  ],
  [
    'rejects a status that does not match',
    ({ claimed, order }, orders) =>
      claimed === 'succeeded' && orders.get(order) !== 'paid'
        ? { status: 400, body: 'Bad request' }
        : html(orders.get(order) ?? ''),
  ],
]

test.each(BELIEVING)('a shop that %s fails', async (_, pages) => {
  const { result, got } = await audited(pages)
  expect(got).toContain('as after a payment that succeeded')
  expect(result).toBe('fail')
})

test.each(DOUBTING)('a shop that %s passes', async (_, pages) => {
  const { result, got } = await audited(pages)
  expect(got).toContain('the page does not show the order as paid')
  expect(result).toBe('pass')
})

describe('a page that is the same for all outcomes', () => {
  const same: Pages = () => html('<div id="app"></div><script>location.search</script>')
  const marking: Pages = ({ claimed, order }, orders) => {
    if (claimed === 'succeeded') orders.set(order, 'paid')
    return html('<div id="app"></div>')
  }

  test('gets a warning if there is no probe', async () => {
    const { result, got, fix } = await audited(same)
    expect([result, fix]).toEqual(['warn', expect.stringContaining('--probe')])
    expect(got).toContain('the page is the same after a payment that succeeded and after one that failed')
  })

  test.each([['order'], ['order', 'count']] as const)('is judged by the probes %s %s', async (...probes) => {
    const kinds = probes.filter((probe) => probe !== undefined)
    expect(await audited(same, kinds)).toMatchObject({ result: 'pass' })
    const { result, got } = await audited(marking, kinds)
    expect(result).toBe('fail')
    expect(got).toContain('the forged return changed $.status: unpaid -> paid, as a payment does')
  })

  test('fails by a probe of the whole shop only if that shows the order as paid', async () => {
    expect(await audited(marking, ['count'])).toMatchObject({ result: 'fail', got: expect.stringContaining('+1500') })
    expect(await audited(same, ['count'])).toMatchObject({ result: 'warn' })
  })

  test('gets a warning if the forged return changes the order in another way than a payment', async () => {
    const pages: Pages = ({ claimed, order }, orders) => {
      if (claimed === 'succeeded' && orders.get(order) !== 'paid') orders.set(order, 'to be checked')
      return html('<div id="app"></div>')
    }
    expect(await audited(pages, ['order'])).toMatchObject({
      result: 'warn',
      got: expect.stringContaining('unlike a payment'),
    })
  })
})

test('a page that shows an unpaid order as paid fails although the order is right', async () => {
  const [, pages] = BELIEVING[0] ?? expect.fail()
  expect(await audited(pages, ['order'])).toMatchObject({ result: 'fail', got: expect.stringContaining('"Paid!"') })
})

test('a page that shows parts of both outcomes gets a warning', async () => {
  const pages: Pages = ({ claimed, order }, orders) =>
    html(`<p>${claimed}</p><p>${orders.get(order) === 'paid' ? 'Paid' : 'Not paid'}</p>`)
  const { result, got } = await audited(pages)
  expect(result).toBe('warn')
  expect(got).toContain('the page shows "succeeded" of a payment that succeeded and "Not paid" of one that failed')
})

test.each<[string, Pages, string]>([
  ['is missing', () => ({ status: 404, body: 'Not found' }), 'the page responded 404 to a buyer who had paid'],
  ['redirects for ever', () => redirect('/thanks'), 'more than 10 redirects'],
  [
    'cannot be read',
    () => {
      throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
    },
    'the page could not be read: Connection refused',
  ],
])('a page that %s fails with its address', async (_, pages, why) => {
  const { result, got, fix } = await audited(pages)
  expect(got).toContain(why)
  expect([result, fix]).toEqual(['fail', expect.stringContaining('Check the address after --return-url')])
})

test('a handler that rejects payment.failed fails with the advice on its status', async () => {
  const { result, fix } = await audited(
    () => html('Hello'),
    [],
    (event) => {
      if (event === 'payment.failed') throw new Refuse(415)
    },
  )
  expect([result, fix]).toEqual(['fail', expect.stringContaining('Accept application/json on this path.')])
})
