// `--return-url` with the page of a real server.
import { afterAll, expect, test } from 'vitest'
import start from '../../../fixtures/start-shop.json' with { type: 'json' }
import type { AuditReport } from '../../../src/audit/run.ts'
import { createSystemClock } from '../../../src/system-clock/system-clock.ts'
import { shop } from '../../audit/shop.ts'
import { closeHandlers, createTestDir, psp, serveHandler } from '../helpers.ts'

const folder = createTestDir()
afterAll(() => {
  closeHandlers()
  folder.remove()
})

/** Starts a shop whose return page trusts its address, and whose order page does not. */
async function served(): Promise<{ url: string; seen: string[] }> {
  const seen: string[] = []
  const { fetch, books } = shop(start.webhook_secret, createSystemClock().now)
  const url = await serveHandler(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://shop')
    if (request.method === 'GET') {
      seen.push(`${request.url} ${request.headers['x-trace'] ?? ''} ${request.headers.cookie ?? ''}`.trim())
      const claim = searchParams.get('status') ?? ''
      if (pathname === '/thanks') {
        response.setHeader('Set-Cookie', ['a=1; Path=/', `claim=${claim}; Path=/; HttpOnly`])
        return void response.writeHead(303, { Location: '/shown' }).end()
      }
      const paid = books.orderStatus(searchParams.get('order') ?? pathname.slice('/orders/'.length)) !== undefined
      if (pathname.startsWith('/orders')) return void response.end(paid ? '<p>Paid</p>' : '<p>Not paid</p>')
      const believed = request.headers.cookie?.includes('claim=succeeded') === true
      return void response.end(believed ? '<h1>Thank you</h1>' : '<h1>Please try again</h1>')
    }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const headers = request.headers as Record<string, string>
    const { status } = await fetch('', { method: 'POST', headers, body: new Uint8Array(Buffer.concat(chunks)) })
    response.writeHead(status).end()
  })
  return { url, seen }
}

const audit = (...args: readonly string[]) => psp(['audit', ...args], { cwd: folder.path })

test('a page that trusts its address fails the audit', async () => {
  const { url, seen } = await served()
  const flags = ['--only', 'return_page', '--header', 'X-Trace: 7', '--json']
  const { code, stdout } = await audit(`${url}/hooks`, '--return-url', `${url}/thanks?lang=en`, ...flags)
  const { checks } = JSON.parse(stdout) as AuditReport
  expect(checks).toMatchObject([
    {
      id: 'return_page',
      result: 'fail',
      got: expect.stringContaining('the page shows "Thank you", as after a payment'),
    },
  ])
  expect(code).toBe(8)
  expect(seen[0]).toMatch(/^\/thanks\?lang=en&payment_id=[\w-]{36}&status=succeeded 7$/)
  expect(seen[1]).toBe('/shown 7 a=1; claim=succeeded')
})

test.each(['/orders?order={order_id}', 'orders/{order_id}'])('a page that shows the order passes: %s', async (page) => {
  const { url } = await served()
  const { code, stdout } = await audit(`${url}/hooks`, '--return-url', page, '--only', 'return_page')
  expect(stdout).toContain('1 passed, 0 failed, 0 warned')
  expect(code).toBe(0)
})

test('return_page is the last check, and its orders count as needed', async () => {
  const { url } = await served()
  const flags = ['--return-url', 'orders/{order_id}', '--order-id', 'A-1', '--json']
  const { stdout, stderr } = await audit(`${url}/hooks`, ...flags)
  expect((JSON.parse(stdout) as AuditReport).checks.at(-1)?.id).toBe('return_page')
  expect(stderr).toContain('--order-id: 1 given, but these checks need 10.')
})

test.each([
  ['the address is missing', ['--only', 'return_page'], 'Add --return-url http://localhost:3000/thanks.'],
  ['a place is unknown', ['--return-url', '/thanks/{id}'], 'Known: {order_id}, {payment_id}.'],
  ['the address is empty', ['--return-url', ' '], 'Give a value'],
  ['the address has another scheme', ['--return-url', 'ftp://shop/thanks'], 'localhost:3000/hooks'],
])('the command refuses to start if %s', async (_, flags, hint) => {
  const { code, stderr } = await audit('localhost:3000/hooks', ...flags)
  expect(code).toBe(2)
  expect(stderr).toContain(hint)
})
