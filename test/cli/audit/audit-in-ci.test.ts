// The audit as a step of a pipeline: each error fails the step, and each run writes its report.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { XMLParser } from 'fast-xml-parser'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import start from '../../../fixtures/start-shop.json' with { type: 'json' }
import type { AuditReport } from '../../../src/audit/run.ts'
import { createSystemClock } from '../../../src/system-clock/system-clock.ts'
import { shop } from '../../audit/shop.ts'
import { refusingPort, reservedPort } from '../../ports.ts'
import { closeHandlers, createTestDir, isRunning, jsonOf, psp, serveHandler, startPsp, waitUntil } from '../helpers.ts'

const folder = createTestDir()
const inFolder = { cwd: folder.path }
const servers: Server[] = []
afterEach(() => {
  folder.remove()
  mkdirSync(folder.path, { recursive: true })
})
afterAll(() => {
  closeHandlers()
  for (const server of servers) {
    server.close()
    server.closeAllConnections()
  }
  folder.remove()
})

/** Starts a correct handler, and `get` responds to its probes. */
async function served(get: RequestListener, port = 0): Promise<string> {
  const { fetch } = shop(start.webhook_secret, createSystemClock().now)
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') return get(request, response)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const headers = request.headers as Record<string, string>
    const { status } = await fetch('', { method: 'POST', headers, body: new Uint8Array(Buffer.concat(chunks)) })
    response.writeHead(status).end()
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const suite = (file: string) =>
  new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '' }).parse(
    readFileSync(join(folder.path, file), 'utf8'),
  ).testsuites.testsuite

// The audit waits for late effects, so its runs wait at the same time.
describe.concurrent('a probe without a value', () => {
  const only = ['--only', 'partial_refunds', '--probe-settle', '1ms', '--json']

  test.each<[string, RequestListener, string]>([
    ['404', (_, response) => void response.writeHead(404).end(), 'responded 404 at http://127.0.0.1:'],
    ['an empty body', (_, response) => void response.end(), 'responded 200 with an empty body at http://'],
    ['the page of the site', (_, response) => void response.end('<!doctype html><p>Hi'), '200 with a web page at http'],
  ])(
    'a probe that gets %s after every event fails its check, and the report names the address',
    async (_, get, said) => {
      const url = await served(get)
      const ran = await psp(['audit', url, ...only, '--probe', 'ordrs/{order_id}'])
      expect(ran.code).toBe(8)
      const [check] = (jsonOf(ran) as AuditReport).checks
      expect(check?.got).toContain(said)
      expect(check?.got).toContain('/ordrs/audit-')
      expect(check?.fix).toMatch(/^Check the path after --probe\./)
    },
  )

  test('a probe without a value in several checks is one finding that names the other checks', async () => {
    const url = await served((_, response) => void response.writeHead(404).end())
    const checks = 'duplicates,out_of_order,partial_refunds'
    const { stdout } = await psp([
      'audit',
      url,
      '--only',
      checks,
      '--probe-settle',
      '1ms',
      '--probe',
      'ordrs/{order_id}',
    ])
    const report = stdout.replace(/\s+/g, ' ')
    expect(report.match(/responded 404 at/g)).toHaveLength(1)
    expect(report.match(/Check the path after/g)).toHaveLength(1)
    expect(report).toContain(' also out_of_order, partial_refunds why ')
    expect(stdout).toContain('3 failed')
  })

  test('a probe command that prints nothing fails its check', async () => {
    const url = await served((_, response) => void response.end())
    const ran = await psp(['audit', url, ...only, '--probe-cmd', 'true "$PSP_ORDER_ID"'])
    expect([ran.code, (jsonOf(ran) as AuditReport).checks[0]?.got]).toEqual([
      8,
      expect.stringContaining('printed nothing'),
    ])
  })

  test('a probe without a value is not reported if the handler refuses the events', async () => {
    const url = await served((_, response) => void response.writeHead(404).end())
    const flags = [...only, '--secret', 'whs_other', '--probe', 'ordrs/{order_id}']
    const ran = await psp(['audit', url, ...flags])
    expect((jsonOf(ran) as AuditReport).checks[0]?.got).not.toContain('responded 404 at')
  })
})

test('--strict makes a warning a failure of the command and of the report', async () => {
  const url = await served((_, response) => void response.end('7'))
  const line = ['audit', url, '--only', 'late_expiry,unknown_event', '--junit', 'a.xml']
  expect((await psp(line, inFolder)).code).toBe(0)
  expect(suite('a.xml')).toMatchObject({ failures: '0' })
  const ran = await psp([...line, '--strict'], inFolder)
  expect([ran.code, ran.stdout]).toEqual([8, expect.stringContaining('1 warned; with --strict a warning is a failure')])
  expect(suite('a.xml')).toMatchObject({ failures: '1', testcase: [{}, { failure: { type: 'late_expiry' } }] })
})

describe('--wait', () => {
  test('--wait waits until the handler accepts connections', async () => {
    const port = await reservedPort()
    const waiting = psp(['audit', `127.0.0.1:${port}`, '--only', 'valid', '--wait'], inFolder)
    await served((_, response) => void response.end(), port)
    expect((await waiting).code).toBe(0)
  })

  test('--wait exits with 7 if no handler starts, and the suite fails', async () => {
    const url = `http://127.0.0.1:${await refusingPort()}`
    const ran = await psp(['audit', url, '--wait', '50ms', '--junit', 'a.xml'], inFolder)
    expect([ran.code, ran.stderr]).toEqual([7, expect.stringContaining('within 50ms nothing accepted a connection')])
    expect(suite('a.xml')).toMatchObject({ failures: '1', testcase: { failure: { type: 'audit' } } })
  })

  test('an address in the place of the duration of --wait is wrong usage', async () => {
    const ran = await psp(['audit', '--wait', 'localhost:3000/hooks'], inFolder)
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('--wait')])
  })
})

describe('the report of an aborted run', () => {
  test('the report of an audit without a handler has one failure', async () => {
    const url = `http://127.0.0.1:${await refusingPort()}/hooks`
    const ran = await psp(['audit', url, '--junit', 'a.xml', '--html', 'a.html'], inFolder)
    expect([ran.code, ran.stderr]).toEqual([6, expect.stringContaining('--wait waits until it accepts connections')])
    expect(suite('a.xml')).toMatchObject({ name: url, tests: '1', failures: '1' })
    expect(suite('a.xml').testcase.failure.message).toContain('nothing listens')
    expect(readFileSync(join(folder.path, 'a.html'), 'utf8')).toContain('Failed: audit of')
  })

  test.each(['balance', '/balance', 'HOST/orders/{order_id}'])(
    'an audit without a handler suggests to start it, also if the probe %s is on the same server',
    async (probe) => {
      const port = await refusingPort()
      const asked = probe.replace('HOST', `localhost:${port}`)
      const ran = await psp(['audit', `127.0.0.1:${port}/hooks`, '--probe', asked, '--junit', 'a.xml'], inFolder)
      expect([ran.code, ran.stderr]).toEqual([6, expect.stringContaining('Start the handler first')])
      expect(ran.stderr).not.toContain('after --probe')
      expect(suite('a.xml').testcase.failure['#text']).toContain('fix: Start the handler first')
    },
  )

  test('if a check ends the handler, the other checks are skipped and named in one line', async () => {
    const server: Server = createServer((request, response) => {
      if (!/^t=\d+,v1=\w+,v2=\w+$/.test(String(request.headers['x-psp-signature']))) {
        server.close()
        return void server.closeAllConnections()
      }
      response.end()
    })
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const line = ['audit', url, '--only', 'valid,missing_header,garbage_header,unknown_event', '--junit', 'a.xml']
    const ran = await psp(line, inFolder)
    expect([ran.code, ran.stdout]).toEqual([8, expect.stringContaining('1 passed, 1 failed, 0 warned, 2 skipped')])
    expect(ran.stdout.replaceAll('\n', ' ')).toContain(
      'Not judged: garbage_header, unknown_event. Fix missing_header first: nothing has listened since then.',
    )
    expect(ran.stdout).not.toContain('Connection refused')
    expect(suite('a.xml')).toMatchObject({ tests: '4', failures: '1', skipped: '2' })
  })

  test('the report of a run with a failing probe has its results so far', async () => {
    const url = await served((_, response) => void response.writeHead(500).end())
    const line = ['audit', url, '--only', 'valid', '--probe', 'balance', '--junit', 'a.xml']
    expect((await psp(line, inFolder)).code).toBe(1)
    expect(suite('a.xml')).toMatchObject({ tests: '1', failures: '1' })
    expect(suite('a.xml').testcase.failure.message).toContain('responded 500')
  })
})

test.each([
  ['--junit', 'nowhere/a.xml', 'there is no such file or folder'],
  ['--html', '.', 'it is a folder'],
])('%s %s is refused before the first request', async (flag, file, why) => {
  let asked = 0
  const url = await served((_, response) => void response.end(String(++asked)))
  const ran = await psp(['audit', url, '--only', 'late_expiry', '--probe', 'balance', flag, file], inFolder)
  expect([ran.code, ran.stdout, asked]).toEqual([1, '', 0])
  expect(ran.stderr).toContain(why)
})

test.each([
  ['--junit', ['--junit', 'a.xml', '--html', './a.xml']],
  ['--html', ['--html', 'a.json', '--story', 'a.json', '--force']],
])('%s is refused if it names another file of the command', async (flag, files) => {
  const { code, stderr } = await psp(['audit', '127.0.0.1:1', '--explore', '1s', ...files], inFolder)
  expect([code, stderr]).toEqual([2, expect.stringContaining(`${flag} names`)])
})

test('the check that a report can be written creates and changes no file', async () => {
  const kept = '<?xml version="1.0"?><testsuites></testsuites>'
  writeFileSync(join(folder.path, 'old.xml'), kept)
  const files = ['--junit', 'old.xml', '--html', 'new.html']
  await psp(['audit', '127.0.0.1:1', '--only', 'valid', '--probe', 'http://[', ...files], inFolder)
  expect(readFileSync(join(folder.path, 'old.xml'), 'utf8')).toBe(kept)
  expect(existsSync(join(folder.path, 'new.html'))).toBe(false)
})

test('an audit that waits for a response ends at the first Ctrl-C and reports the finished checks', async () => {
  let received = 0
  const url = await serveHandler((_request, response) => {
    received++
    if (received === 1) response.end()
  })
  const line = ['audit', url, '--only', 'valid,unknown_event', '--secret', 'whs_0123456789', '--junit', 'cut.xml']
  const running = startPsp(line, { cwd: folder.path })
  await waitUntil(() => received === 2)
  running.signal('SIGINT')
  const { code, stdout } = await running.ended
  expect([code, running.exits]).toEqual([130, []])
  expect(stdout).toContain('valid')
  expect(stdout).not.toContain('unknown_event')
  const junit = readFileSync(join(folder.path, 'cut.xml'), 'utf8')
  expect(junit).toMatch(/tests="2" failures="1"/)
  expect(junit).toContain('ended by SIGINT')
})

test('Ctrl-C during a probe command ends the command and what it has started', async () => {
  const url = await serveHandler((_request, response) => response.end())
  const file = join(folder.path, 'probe.pids')
  const command = `sleep 600 & echo $! $$ > ${file}; wait`
  const running = startPsp(['audit', url, '--only', 'duplicates', '--probe-cmd', command], { cwd: folder.path })
  await waitUntil(() => existsSync(file) && readFileSync(file, 'utf8').endsWith('\n'))
  running.signal('SIGINT')
  expect((await running.ended).code).toBe(130)
  const pids = readFileSync(file, 'utf8').trim().split(' ').map(Number)
  expect(pids).toHaveLength(2)
  await waitUntil(() => !pids.some(isRunning))
})

test.skipIf(!existsSync('/dev/full'))('an interrupted audit warns that its report cannot be written', async () => {
  let isReached = false
  const url = await serveHandler(() => {
    isReached = true
  })
  const running = startPsp(['audit', url, '--only', 'valid', '--html', '/dev/full'], { cwd: folder.path })
  await waitUntil(() => isReached)
  running.signal('SIGINT')
  const { code, stderr } = await running.ended
  expect([code, stderr]).toEqual([130, expect.stringMatching(/\/dev\/full.*cannot be written/)])
})
