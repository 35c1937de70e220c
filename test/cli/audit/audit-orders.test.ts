// `--order-id` for a handler that knows only its own orders, and not always enough of them.
import { afterAll, describe, expect, test } from 'vitest'
import start from '../../../fixtures/start-shop.json' with { type: 'json' }
import type { AuditReport } from '../../../src/audit/run.ts'
import { createSystemClock } from '../../../src/system-clock/system-clock.ts'
import { type Parts, Refuse, RIGHT, shop } from '../../audit/shop.ts'
import { closeHandlers, createTestDir, psp, serveHandler } from '../helpers.ts'

const folder = createTestDir()
afterAll(() => {
  closeHandlers()
  folder.remove()
})

const ORDERS = Array.from({ length: 30 }, (_, at) => `A-${at + 1}`)
const NEEDED = 7

/** Rejects events about orders that it does not know. */
const knowing: Partial<Parts> = {
  handle(event, books) {
    if (!ORDERS.includes(event.data.order_id)) throw new Refuse(404)
    RIGHT.handle(event, books)
  },
}

async function served(parts: Partial<Parts> = {}): Promise<{ url: string; paid: () => string[] }> {
  const { fetch, books } = shop(start.webhook_secret, createSystemClock().now, { ...knowing, ...parts })
  const url = await serveHandler(async (request, response) => {
    const order = /^\/orders\/(.+)$/.exec(request.url ?? '')?.[1]
    if (order !== undefined) {
      const state = books.orderStatus(decodeURIComponent(order))
      return void response.writeHead(state === undefined ? 404 : 200).end(state)
    }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const headers = request.headers as Record<string, string>
    const { status } = await fetch('', { method: 'POST', headers, body: new Uint8Array(Buffer.concat(chunks)) })
    response.writeHead(status).end()
  })
  return { url, paid: () => [...books.received.values()].map(({ order }) => order) }
}

async function audited(url: string, count: number, ...flags: readonly string[]) {
  const orders = ORDERS.slice(0, count).flatMap((id) => ['--order-id', id])
  const probe = ['--probe', '/orders/{order_id}', '--probe-settle', '1ms']
  const { code, stdout, stderr } = await psp(['audit', `${url}/hooks`, '--json', ...orders, ...probe, ...flags], {
    cwd: folder.path,
  })
  const report = JSON.parse(stdout) as AuditReport
  const result = (id: string) => report.checks.find((check) => check.id === id)
  return { code, stderr, report, result }
}

// The audit waits for late effects, so its runs wait at the same time.
describe.concurrent('enough orders', () => {
  test.each([NEEDED, 30])('a correct handler passes with %i orders', async (count) => {
    const { url } = await served()
    const { code, stderr, report } = await audited(url, count)
    expect(report.checks.filter(({ result }) => result !== 'pass')).toEqual([])
    expect(code).toBe(0)
    expect(stderr).not.toContain('order')
  })

  test('each check of an effect has orders that no other check uses', async () => {
    const { url, paid } = await served()
    await audited(url, NEEDED)
    const orders = paid()
    expect(new Set(orders)).toEqual(new Set(ORDERS.slice(0, NEEDED)))
    const repeated = orders.filter((order, at) => orders.indexOf(order) !== at)
    expect(new Set(repeated)).toEqual(new Set(['A-1']))
  })
})

describe.concurrent('too few orders', () => {
  test.each([1, 6])('%i orders are reported before the start and at each check that needed more', async (count) => {
    const { url } = await served()
    const { code, stderr, report } = await audited(url, count)
    expect(stderr).toContain(`--order-id: ${count} given, but these checks need ${NEEDED}.`)
    const unsure = report.checks.filter(({ result }) => result !== 'pass')
    expect(unsure.length).toBeGreaterThan(0)
    for (const { result, got, fix } of unsure) {
      expect(result).toBe('warn')
      expect(got).toMatch(/; the orders ran out, and these were used again: A-\d(, A-\d)*$/)
      expect(fix).toBe(`Give ${NEEDED} orders: ${count} ${count === 1 ? 'was' : 'were'} given with --order-id.`)
    }
    expect(code).toBe(0)
  })

  test('the same order given twice counts once', async () => {
    const { url } = await served()
    const { stderr } = await audited(url, 6, '--order-id', 'A-6')
    expect(stderr).toContain('--order-id: 6 given, but these checks need 7.')
  })

  test('a check whose webhook is rejected fails, and names both possible causes', async () => {
    const { url } = await served({
      handle(event, books) {
        if (event.event === 'payment.expired') throw new Refuse(422)
        RIGHT.handle(event, books)
      },
    })
    const { code, result } = await audited(url, 1)
    expect(result('late_expiry')).toMatchObject({
      result: 'fail',
      got: expect.stringContaining('the orders ran out'),
      fix: expect.stringMatching(/^Give 7 orders: 1 was given with --order-id\. .+/),
    })
    expect(code).toBe(8)
  })
})

test.concurrent('an audit with --only needs only the orders of the chosen checks', async () => {
  const { url } = await served()
  const { report, stderr } = await audited(url, 2, '--only', 'duplicates')
  expect([report.passed, stderr.includes('order')]).toEqual([1, false])
  const fewer = await audited(url, 1, '--only', 'duplicates')
  expect(fewer.stderr).toContain('--order-id: 1 given, but these checks need 2.')
})

test.concurrent('checks of responses alone need one order', async () => {
  const { url } = await served()
  const { report, stderr } = await audited(url, 1, '--only', 'valid,cyrillic,stale')
  expect([report.passed, stderr.includes('order')]).toEqual([3, false])
})

test.concurrent('a wrong handler still fails if it knows only its own orders', async () => {
  const { url } = await served({
    handle(event, books) {
      if (event.event === 'payment.expired') books.cancelled.add(event.data.order_id)
      else RIGHT.handle(event, books)
    },
  })
  const { result } = await audited(url, 2, '--only', 'late_expiry')
  expect(result('late_expiry')).toMatchObject({ result: 'fail' })
})
