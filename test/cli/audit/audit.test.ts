// `psp audit` over real sockets: its output, its files and its exit codes.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { XMLValidator } from 'fast-xml-parser'
import { afterAll, describe, expect, test } from 'vitest'
import start from '../../../fixtures/start-shop.json' with { type: 'json' }
import { CHECKS } from '../../../src/audit/checks.ts'
import type { AuditReport } from '../../../src/audit/run.ts'
import { createSystemClock } from '../../../src/system-clock/system-clock.ts'
import { type Parts, RIGHT, shop } from '../../audit/shop.ts'
import { closeHandlers, createTestDir, jsonOf, psp, serveHandler } from '../helpers.ts'

const folder = createTestDir()
afterAll(() => {
  closeHandlers()
  folder.remove()
})

interface Served {
  readonly url: string
  readonly seen: { headers: Record<string, string>; path: string }[]
}

/** Starts a merchant's server. POST is the handler, GET the balance or the state of an order. */
async function served(secret: string, parts: Partial<Parts> = {}): Promise<Served> {
  const seen: Served['seen'] = []
  const { fetch, books } = shop(secret, createSystemClock().now, parts)
  const url = await serveHandler(async (request, response) => {
    const path = request.url ?? ''
    if (request.method === 'GET') {
      const order = /^\/orders\/(.+)$/.exec(path)?.[1]
      const state = order === undefined ? String(books.balance()) : books.orderStatus(decodeURIComponent(order))
      response.writeHead(state === undefined ? 404 : 200).end(state)
      return
    }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const headers = request.headers as Record<string, string>
    seen.push({ headers, path })
    const { status } = await fetch('', { method: 'POST', headers, body: new Uint8Array(Buffer.concat(chunks)) })
    response.writeHead(status).end(status < 300 ? 'ok' : '\u001b[31mrefused')
  })
  return { url, seen }
}

const QUICK = ['--probe-settle', '1ms']
const inFolder = { cwd: folder.path }

const SUGGESTION = 'Add --explore 60s to look for a sequence of events that breaks the handler.'

// The audit waits for late effects, so its runs wait at the same time.
describe.concurrent('a correct handler', () => {
  const PROBES = ['--probe', 'orders/{order_id}', '--probe', 'balance']

  test('an audit with probes that passes in a terminal suggests an exploration', async () => {
    const { url } = await served(start.webhook_secret)
    const ran = await psp(['audit', `${url}/hooks`, ...PROBES, ...QUICK], { ...inFolder, terminal: true })
    expect([ran.code, ran.stderr.includes(SUGGESTION)]).toEqual([0, true])
  })

  test.each([
    ['without a probe, which an exploration needs', []],
    ['of some checks', ['--only', 'valid', ...PROBES]],
    ['with --strict, which an exploration rejects', ['--strict', ...PROBES]],
    ['with JSON output', [...PROBES, '--json']],
    ['with --quiet', [...PROBES, '--quiet']],
  ])('an audit %s suggests no exploration', async (_, flags) => {
    const { url } = await served(start.webhook_secret)
    const ran = await psp(['audit', `${url}/hooks`, ...flags, ...QUICK], { ...inFolder, terminal: true })
    expect([ran.code, ran.stderr.includes(SUGGESTION)]).toEqual([0, false])
  })

  test('a correct handler passes all checks, with probes of its balance and its orders', async () => {
    const { url, seen } = await served(start.webhook_secret)
    const probes = ['--probe', 'balance', '--probe', 'orders/{order_id}', ...QUICK]
    const ran = await psp(['audit', `${url}/hooks`, ...probes, '--header', 'X-Trace: 7'], inFolder)
    expect(ran.stdout).toContain(`${CHECKS.length} passed, 0 failed, 0 warned\n`)
    expect(ran.code).toBe(0)
    for (const line of ran.stdout.split('\n')) expect([...line].length).toBeLessThanOrEqual(80)
    expect(ran.stderr).toContain('the development webhook secret of a new sandbox')
    expect(ran.stderr).not.toContain(SUGGESTION)
    expect(new Set(seen.map(({ path, headers }) => `${path} ${headers['x-trace']}`))).toEqual(new Set(['/hooks 7']))
    expect(seen[0]?.headers).toMatchObject({ 'user-agent': 'psp-webhook/1.0', 'content-type': 'application/json' })
  })

  test('a probe may read the state of each order', async () => {
    const { url } = await served('whs_mine')
    const only = ['--only', 'duplicates,out_of_order', '--only', 'late_expiry', '--secret', 'whs_mine', ...QUICK]
    const byUrl = await psp(['audit', url, ...only, '--probe', `${url}/orders/{order_id}`, '--json'], inFolder)
    expect(jsonOf(byUrl)).toMatchObject({ target: url, passed: 3, failed: 0, warned: 0 })
  })

  test('a probe may run a command that gets the order', async () => {
    const { url } = await served('whs_mine', {
      handle(event, books) {
        RIGHT.handle(event, books)
        const { order_id } = event.data
        writeFileSync(join(folder.path, order_id), books.orderStatus(order_id) ?? '')
      },
    })
    const command = 'cat "$PSP_ORDER_ID" || echo none'
    const one = ['--only', 'late_expiry', '--secret', 'whs_mine', ...QUICK]
    const byCommand = await psp(['audit', url, ...one, '--probe-cmd', command, '--json'], inFolder)
    expect(jsonOf(byCommand)).toMatchObject({ passed: 1, failed: 0, warned: 0 })
    expect(byCommand.code).toBe(0)
  })

  test('the webhooks have the orders, amounts and metadata of the flags', async () => {
    const bodies: { data: Record<string, unknown> }[] = []
    const url = await serveHandler(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      bodies.push(JSON.parse(Buffer.concat(chunks).toString()))
      response.end()
    })
    const flags = ['--order-id', 'A-1', '--amount', '2000', '--metadata', 'cart=7', '--only', 'valid']
    expect((await psp(['audit', url, ...flags], inFolder)).code).toBe(0)
    expect(bodies[0]?.data).toMatchObject({
      order_id: 'A-1',
      amount: 2000,
      status: 'succeeded',
      metadata: { cart: '7', mode: 'test' },
    })
  })
})

describe('a wrong handler', () => {
  test('an audit with a failure exits with 8 and prints each finding', async () => {
    const { url } = await served('whs_mine', { limit: 1000_000 })
    const files = ['--junit', 'audit.xml', '--html', 'audit.html']
    const ran = await psp(['audit', url, '--secret', 'whs_mine', ...files], inFolder)
    expect(ran.code).toBe(8)
    expect(ran.stdout).toMatch(/^fail {2}large_metadata {4}accepts a megabyte of metadata$/m)
    expect(ran.stdout).toMatch(
      /fail {2}large_metadata: .+\n {2}sent {6}payment\.succeeded with 1 MB .+\n {2}expected {2}2xx .+\n {2}got {7}413 in \d+ ms: refused\n {2}why {7}Metadata has no hard limit\.(.+\n)+ {2}fix {7}Raise the body limit/,
    )
    expect(ran.stdout).toContain('16 passed, 1 failed, 4 warned\n')
    // The four warnings have the same fix, which is printed once.
    expect(ran.stdout.match(/Let --probe URL/g)).toHaveLength(1)
    expect(ran.stdout.match(/^ {2}fix {7}As for \w+ above\.$/gm)).toHaveLength(3)
    expect(XMLValidator.validate(readFileSync(join(folder.path, 'audit.xml'), 'utf8'))).toBe(true)
    expect(readFileSync(join(folder.path, 'audit.html'), 'utf8')).toContain('<b>failed</b> <code>large_metadata</code>')
  })

  test('--json prints one document with the documented fields', async () => {
    const { url } = await served('whs_mine', { verify() {} })
    const ran = await psp(['audit', url, '--secret', 'whs_mine', '--only', 'stale', '--json'], inFolder)
    expect(ran).toMatchObject({ code: 8, stderr: '' })
    const report = jsonOf(ran) as AuditReport
    expect(Object.keys(report)).toEqual(['target', 'passed', 'failed', 'warned', 'checks'])
    expect(report.checks.map((check) => Object.keys(check))).toEqual([
      ['id', 'title', 'result', 'sent', 'expected', 'got', 'why', 'fix'],
    ])
    expect(report.checks[0]).toMatchObject({
      id: 'stale',
      result: 'fail',
      got: expect.stringMatching(/^200 in \d+ ms/),
    })
  })

  test('a handler that does not respond fails at the deadline', async () => {
    const url = await serveHandler(() => {})
    const ran = await psp(['audit', url, '--only', 'valid', '--timeout', '1s', '--json'], inFolder)
    expect(ran.code).toBe(8)
    expect((jsonOf(ran) as AuditReport).checks[0]).toMatchObject({
      got: expect.stringContaining('No response from'),
      fix: expect.stringContaining('Respond first and work afterwards'),
    })
  })

  test('a wrong path is reported first, and does not count as a correct handler', async () => {
    const url = await serveHandler((_, response) => void response.writeHead(404).end('Cannot POST /hook'))
    const ran = await psp(['audit', `${url}/hook`, '--only', 'valid,tampered,stale,unknown_event'], inFolder)
    expect(ran.code).toBe(8)
    expect(ran.stdout).toContain('0 passed, 2 failed, 2 warned\n')
    expect(ran.stdout.match(/^\w+ {2}\w+:/gm)).toEqual(['fail  valid:'])
    expect(ran.stdout).toMatch(/ {2}fix {7}Nothing is at this path. Check the URL/)
  })

  test('an audit does not follow a redirect', async () => {
    const url = await serveHandler((_, response) => void response.writeHead(302, { Location: '/there' }).end())
    const ran = await psp(['audit', url, '--only', 'valid', '--json'], inFolder)
    expect((jsonOf(ran) as AuditReport).checks[0]?.fix).toContain('the service does not follow redirects')
  })
})

describe('an audit that cannot start or finish', () => {
  test('an audit without a handler exits with 6', async () => {
    const ran = await psp(['audit', 'http://127.0.0.1:9/hooks', '--json'], inFolder)
    expect(ran).toMatchObject({ code: 6, stdout: '' })
    expect(JSON.parse(ran.stderr)).toMatchObject({
      error: { code: 'unreachable', hint: expect.stringContaining('Start the handler first') },
    })
  })

  test.each([
    ['an unknown check', ['--only', 'stal'], 2, 'Did you mean stale?'],
    ['two probes, of which one fails', ['--probe', '/balance', '--probe-cmd', 'exit 4'], 1, 'exited with 4'],
    ['a probe that is not there', ['--probe', 'http://127.0.0.1:1'], 1, 'Check the URL of --probe'],
    ['a probe command that fails', ['--probe-cmd', 'echo no >&2; exit 3'], 1, 'exited with 3: no.'],
    ['an unknown placeholder', ['--probe', 'orders/{nope}'], 2, 'Known: {order_id}, {payment_id}'],
    ['a report that cannot be written', ['--only', 'valid', '--junit', '/nowhere/a.xml'], 1, 'Name another file'],
  ])('an audit with %s exits with an error', async (_, flags, code, text) => {
    const { url } = await served(start.webhook_secret)
    const ran = await psp(['audit', url, ...flags], inFolder)
    expect(ran.stderr).toContain(text)
    expect(ran.code).toBe(code)
  })
})

describe('a probe that takes too long', () => {
  /** A clock with ten times shorter timeouts. */
  const fastClock = {
    ...createSystemClock(),
    setTimeout: (then: () => void, ms: number) => createSystemClock().setTimeout(then, ms / 10),
  }

  test.each([
    ['--probe-cmd', 'sleep 100; echo 1', /The probe command returned no value within 15s/],
    ['--probe', '/slow', /The probe http:.*\/slow returned no value within 15s/],
  ])('a slow %s ends at its deadline, with separate advice', async (flag, probe, text) => {
    const url = await serveHandler((request, response) => {
      if (request.method === 'POST') response.end('ok')
    })
    const flags = ['--only', 'duplicates', flag, probe]
    const ran = await psp(['audit', url, ...flags], { ...inFolder, systemClock: fastClock })
    expect(ran.code).toBe(1)
    expect(ran.stderr).toMatch(text)
    expect(ran.stderr).toContain('A probe is read many times')
    expect(ran.stderr).not.toContain('Respond first')
  })
})
