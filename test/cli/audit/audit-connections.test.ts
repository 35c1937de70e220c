// The audit over real connections: handlers that end theirs, compress their responses, or send long headers.
import { createServer, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import start from '../../../fixtures/start-shop.json' with { type: 'json' }
import type { AuditReport } from '../../../src/audit/run.ts'
import { createSystemClock } from '../../../src/system-clock/system-clock.ts'
import { shop } from '../../audit/shop.ts'
import { closeHandlers, createTestDir, jsonOf, psp, serveHandler } from '../helpers.ts'

const folder = createTestDir()
afterAll(() => {
  closeHandlers()
  folder.remove()
})
const QUICK = ['--probe-settle', '1ms']

async function audit(url: string, ...flags: readonly string[]): Promise<AuditReport> {
  return jsonOf(await psp(['audit', `${url}/hooks`, '--json', ...QUICK, ...flags], { cwd: folder.path })) as AuditReport
}

const failed = (report: AuditReport) => report.checks.filter(({ result }) => result !== 'pass').map(({ id }) => id)

test('each webhook and each read of a probe has a new connection', async () => {
  const { fetch, books } = shop(start.webhook_secret, createSystemClock().now)
  const requests = new Map<Socket, number>()
  const url = await serveHandler(async (request, response) => {
    requests.set(request.socket, (requests.get(request.socket) ?? 0) + 1)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (request.method === 'GET') return void response.end(String(books.balance()))
    const headers = request.headers as Record<string, string>
    const { status } = await fetch('', { method: 'POST', headers, body: new Uint8Array(Buffer.concat(chunks)) })
    // uvicorn closes the connection after an error without announcing it.
    if (status >= 400) response.on('finish', () => request.socket.end())
    response.writeHead(status).end('ok')
  })
  const only = 'valid,tampered,stale,broken_json,unknown_event,large_metadata,duplicates'
  expect(failed(await audit(url, '--only', only, '--probe', 'balance'))).toEqual([])
  expect(requests.size).toBeGreaterThan(20)
  expect([...requests.values()].filter((count) => count > 1)).toEqual([])
})

const REFUSAL = 'нет такого заказа'

test('`got` contains the decoded body of a response', async () => {
  const url = await serveHandler((request, response) => {
    request.resume().on('end', () => response.writeHead(422, { 'Content-Encoding': 'gzip' }).end(gzipSync(REFUSAL)))
  })
  const report = await audit(url, '--only', 'unknown_event')
  expect(report.checks[0]?.got).toContain(REFUSAL)
})

test('a probe reads a decoded value', async () => {
  const { fetch, books } = shop(start.webhook_secret, createSystemClock().now)
  const url = await serveHandler(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (request.method === 'GET') {
      return void response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(String(books.balance())))
    }
    const headers = request.headers as Record<string, string>
    const { status } = await fetch('', { method: 'POST', headers, body: new Uint8Array(Buffer.concat(chunks)) })
    response.writeHead(status).end('ok')
  })
  const report = await audit(url, '--only', 'partial_refunds', '--probe', 'balance')
  expect(report.checks[0]).toMatchObject({ result: 'pass', got: expect.stringContaining('the effect is correct') })
})

test('a probe whose encoding is broken ends the audit with the reason', async () => {
  const url = await serveHandler((request, response) => {
    request.resume().on('end', () => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end('120'))
  })
  const { code, stderr } = await psp(['audit', `${url}/hooks`, '--probe', 'balance'], { cwd: folder.path })
  expect(code).toBe(1)
  expect(stderr).toContain('it is not valid gzip (incorrect header check)')
})

test('a probe is read again if the server closes its connection', async () => {
  const { fetch, books } = shop(start.webhook_secret, createSystemClock().now)
  let reads = 0
  const url = await serveHandler(async (request, response) => {
    if (request.method === 'GET' && reads++ % 3 < 2) return void request.socket.destroy()
    if (request.method === 'GET') return void response.end(String(books.balance()))
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const headers = request.headers as Record<string, string>
    const { status } = await fetch('', { method: 'POST', headers, body: new Uint8Array(Buffer.concat(chunks)) })
    response.writeHead(status).end('ok')
  })
  expect(failed(await audit(url, '--only', 'valid', '--probe', 'balance'))).toEqual([])
})

test('a probe without a connection ends the audit, and the hint names --lanes', async () => {
  const url = await serveHandler((request, response) => {
    if (request.method === 'GET') request.socket.destroy()
    else request.resume().on('end', () => response.end())
  })
  const { code, stderr } = await psp(['audit', `${url}/hooks`, '--probe', 'balance'], { cwd: folder.path })
  expect(code).toBe(1)
  expect(stderr).toContain('try --lanes 1')
})

async function raw(response: string): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => void socket.end(response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after.push(() => void server.close())
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
}
const after: (() => void)[] = []
afterAll(() => {
  for (const close of after) close()
})

test.each([
  ['informational responses', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\n\r\n'],
  ['60 KiB of headers', `HTTP/1.1 200 OK\r\nX-Trace: ${'x'.repeat(60 * 1024)}\r\n\r\n`],
])('a response with %s passes', async (_, response) => {
  expect(failed(await audit(await raw(response), '--only', 'unknown_event'))).toEqual([])
})

test('the report names response headers above the limit', async () => {
  const url = await raw(`HTTP/1.1 200 OK\r\nX-Trace: ${'x'.repeat(100 * 1024)}\r\n\r\n`)
  const report = await audit(url, '--only', 'unknown_event')
  expect(report.checks[0]?.got).toContain('sent more than 64 KiB of response headers, and psp reads at most 64 KiB')
})

test('the report says that a handler supports only HTTP/2', async () => {
  const url = await raw('\u0000\u0000\u0000\u0004\u0000\u0000\u0000\u0000\u0000')
  const { stderr, stdout } = await psp(['audit', `${url}/hooks`, '--only', 'valid'], { cwd: folder.path })
  expect((stdout + stderr).replace(/\s+/g, ' ')).toContain('supports only HTTP/2')
})
