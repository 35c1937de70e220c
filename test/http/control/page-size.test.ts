// A page of a list is limited in bytes, too. Each list of the control API continues after such a page.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createClient } from '../../../src/client/client.ts'
import { assembleSandbox, type Sandbox } from '../../../src/sandbox.ts'

const MEGABYTE = 1024 * 1024
/** The maximum size of the items of a page, in bytes. */
const LIMIT = 8 * MEGABYTE

let sandbox: Sandbox
beforeEach(async () => {
  sandbox = await assembleSandbox({
    clock: { mode: 'frozen' },
    endpoints: ['http://127.0.0.1:9/'],
    holdDeliveries: true,
  })
})
afterEach(() => sandbox.close())

interface Page {
  readonly items: readonly { readonly id: string | number }[]
  readonly next_cursor: string | null
}

async function read(path: string): Promise<{ page: Page; bytes: number }> {
  const response = await sandbox.fetch(new Request(`http://127.0.0.1:7770${path}`))
  expect(response.status).toBe(200)
  const text = await response.text()
  return { page: JSON.parse(text), bytes: Buffer.byteLength(text) }
}

/** Returns the pages of a list. Each is within the limit unless it has one item. */
async function pagesOf(path: string): Promise<readonly Page['items'][]> {
  const pages: Page['items'][] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const start: string = cursor === '' ? path : `${path}&cursor=${cursor}`
    const { page, bytes } = await read(start)
    expect(page.items.length).toBeGreaterThan(0)
    if (page.items.length > 1) expect(bytes).toBeLessThan(LIMIT + 10_000)
    pages.push(page.items)
    cursor = page.next_cursor
  }
  return pages
}

/** @param filler a value of the metadata */
function pay(filler: string, mode: 'test' = 'test'): string {
  const caller = { shop_id: sandbox.defaultShop().shop_id, mode } as const
  const input = { amount: 100, currency: 'RUB', method: 'sbp', metadata: { filler } } as const
  return sandbox.engine.execute('create_payment', { caller, input }).object.id
}

describe('a page', () => {
  it('ends before the limit in bytes, and the next page continues after it', async () => {
    const ids = Array.from({ length: 30 }, () => pay('x'.repeat(MEGABYTE))).reverse()
    const pages = await pagesOf('/_psp/payments?limit=1000')
    expect(pages.map((items) => items.length)).toEqual([7, 7, 7, 7, 2])
    expect(pages.flat().map(({ id }) => id)).toEqual(ids)
  })

  it('counts bytes, not characters', async () => {
    for (let i = 0; i < 10; i++) pay('Ж'.repeat(MEGABYTE))
    expect((await pagesOf('/_psp/payments?limit=1000')).map((items) => items.length)).toEqual([3, 3, 3, 1])
  })

  it('has at least one item, however large', async () => {
    const large = pay('x'.repeat(LIMIT + MEGABYTE))
    const small = pay('x')
    const pages = await pagesOf('/_psp/payments?limit=1000')
    expect(pages.map((items) => items.map(({ id }) => id))).toEqual([[small], [large]])
  })

  it('still ends after the limit of items', async () => {
    for (let i = 0; i < 5; i++) pay('x')
    expect((await pagesOf('/_psp/payments?limit=2')).map((items) => items.length)).toEqual([2, 2, 1])
    const { page } = await read('/_psp/payments?limit=5')
    expect(page.next_cursor).toBeNull()
  })

  it.each(['/_psp/events', '/_psp/deliveries'])('is limited in the list %s, too', async (path) => {
    for (let i = 0; i < 10; i++) {
      const payment_id = pay('x'.repeat(2 * MEGABYTE))
      sandbox.engine.execute('act_on_payment', { payment_id, act: { action: 'pay' } })
    }
    const { items } = (await read(`${path}?limit=1`)).page
    expect(items).toHaveLength(1)
    const ids = (await pagesOf(`${path}?limit=1000`)).flat().map(({ id }) => id)
    expect(ids).toHaveLength(10)
    expect(new Set(ids).size).toBe(10)
  })

  it.each([
    [
      '/_psp/rules',
      (text: string) => sandbox.engine.execute('add_rule', { plan: 'failed', match: { order_id: text } }),
    ],
    [
      '/_psp/faults',
      (text: string) => sandbox.engine.execute('add_fault', { target: 'api', fault: 'cut', match: { path: text } }),
    ],
    [
      '/_psp/refunds',
      (text: string) => {
        const payment_id = pay('x')
        sandbox.engine.execute('act_on_payment', { payment_id, act: { action: 'pay' } })
        const caller = { shop_id: sandbox.defaultShop().shop_id, mode: 'test' } as const
        return sandbox.engine.execute('refund_payment', { caller, payment_id, reason: text })
      },
    ],
    [
      '/_psp/payouts',
      (text: string) => {
        const caller = { shop_id: sandbox.defaultShop().shop_id, mode: 'test' } as const
        const input = { amount: 1, currency: 'RUB', phone: '+79161234567', bank_id: '100000000111', full_name: text }
        return sandbox.engine.execute('create_payout', { caller, input })
      },
    ],
    ['/_psp/shops', (text: string) => sandbox.engine.execute('create_shop', { name: text, endpoints: [] })],
  ] as const)('is limited in the list %s, too', async (path, make) => {
    for (let i = 0; i < 6; i++) make(`${i}`.repeat(3 * MEGABYTE))
    const pages = await pagesOf(`${path}?limit=1000`)
    expect(pages.length).toBeGreaterThan(2)
    expect(pages.flat().length).toBeGreaterThanOrEqual(6)
  })

  it('is limited in the list of endpoints, too', async () => {
    const { shop_id } = sandbox.defaultShop()
    for (let i = 0; i < 6; i++) {
      const url = `http://127.0.0.1:9/${`${i}`.repeat(3 * MEGABYTE)}`
      sandbox.engine.execute('create_endpoint', { shop_id, input: { url } })
    }
    const pages = await pagesOf(`/_psp/shops/${shop_id}/endpoints?limit=1000`)
    expect(pages.map((items) => items.length)).toEqual([2, 2, 3])
  })
})

describe('the client', () => {
  it('joins pages up to the limit', async () => {
    const ids = Array.from({ length: 20 }, () => pay('x'.repeat(MEGABYTE))).reverse()
    const client = createClient({
      fetch: (url: string, init?: RequestInit) => sandbox.fetch(new Request(url, init)),
      baseUrl: 'http://127.0.0.1:7770',
    } as Parameters<typeof createClient>[0])
    const idsOf = (page: { readonly items: readonly { readonly id: string }[] }) => page.items.map(({ id }) => id)
    const all = await client.control.lists.payments()
    expect([idsOf(all), all.next_cursor]).toEqual([ids, null])
    const some = await client.control.lists.payments({ limit: 12 })
    expect(idsOf(some)).toEqual(ids.slice(0, 12))
    const rest = await client.control.lists.payments({ limit: 1000, cursor: some.next_cursor ?? undefined })
    expect([idsOf(rest), rest.next_cursor]).toEqual([ids.slice(12), null])
  })
})
