// `psp audit --explore` and `--replay` over real connections.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSystemClock } from '../../../src/system-clock/system-clock.ts'
import { CORRECT_HANDLERS } from '../../explore/handlers/correct.ts'
import { createNamed } from '../../explore/handlers/handler.ts'
import { PLANTED_BUGS } from '../../explore/handlers/planted-bugs.ts'
import { serveShop } from '../../explore/handlers/serve-shop.ts'
import { refusingPort } from '../../ports.ts'
import { closeHandlers, createTestDir, psp, serveHandler, startPsp, waitUntil } from '../helpers.ts'

const folder = createTestDir()
afterAll(() => {
  closeHandlers()
  folder.remove()
})

const PROBES = ['--probe', 'orders/{order_id}', '--probe', 'balance', '--probe-settle', '1ms']
/** A search that ends after its first case. With this seed, that case finds most bugs of this file with few messages. */
const SHORT = ['--explore', '20s', '--deliveries', '20', '--lanes', '1', '--seed', '8', ...PROBES]
/** A search with the default number of lanes. Its first eight cases find the bugs of this file. */
const SHORT_IN_LANES = ['--explore', '20s', '--deliveries', '160', '--seed', '1', ...PROBES]

const realClock = createSystemClock()
/** Makes the time limits of a search 100 times as long, so that searches end for other reasons on a busy machine too. */
const PATIENT = { ...realClock, monotonic: () => realClock.monotonic() / 100 }

const explore = (url: string, ...flags: readonly string[]) =>
  psp(['audit', `${url}/hooks`, ...flags], { cwd: folder.path, systemClock: PATIENT })
/** A search that ends when its time is over. */
const exploreUntilTimeEnds = (url: string, ...flags: readonly string[]) =>
  psp(['audit', `${url}/hooks`, ...flags], { cwd: folder.path })

/** The signals that end a command, each with the exit code. */
const SIGNALS = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const

const lines = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

const numberedOrders = (count: number) => Array.from({ length: count }, (_, at) => ['--order-id', `A-${at}`]).flat()

describe('`psp audit --explore`', () => {
  test('prints the smallest case, its fix and the command that replays it, and exits with 8', async () => {
    const url = await serveShop(createNamed(PLANTED_BUGS, 'lets an expired'))
    const { code, stdout, stderr } = await explore(url, ...SHORT_IN_LANES, '--save', 'found')
    expect(code).toBe(8)
    expect(stderr).toContain('Seed 1.')
    expect(stdout).toMatch(/^found {2}no_way_back: payment.expired changes \$.status .* from paid to closed\.$/m)
    expect(stdout).toMatch(/^ {2}1 {2}payment.succeeded p\d \(1000.00\) {2}200 .* status=paid/m)
    expect(stdout).toMatch(/^ {2}2 {2}payment.expired p\d \(1000.00\) {4}200 .* status=closed .* paid$/m)
    expect(stdout).toContain('--replay found/1.json')
    expect(stdout).toMatch(/^1 finding in \d+ stories and \d+ deliveries, plus \d+ to shrink findings, seed 1$/m)
    expect(existsSync(join(folder.path, 'found/1.json'))).toBe(true)
  })

  test('prints a command that replays the finding as it is', async () => {
    const url = await serveShop(createNamed(PLANTED_BUGS, 'shows a part refund'))
    const { stdout } = await explore(url, ...SHORT, '--timeout', '4s', '--header', "X-Name: it's", '--save', 'it is')
    const command = /^ {2}replay {4}psp (.*)$/m.exec(stdout)?.[1] ?? ''
    expect(command).toBe(
      `audit ${url}/hooks --probe 'orders/{order_id}' --probe balance --probe-settle 1ms --timeout 4s --header 'X-Name: it'\\''s' --replay 'it is/1.json'`,
    )
    const { stdout: words } = await execa('sh', ['-c', `printf '%s\\n' ${command}`])
    expect((await psp(words.split('\n'), { cwd: folder.path })).code).toBe(8)
  })

  test('prints a command that begins with npx if npx started psp', async () => {
    const url = await serveShop(createNamed(PLANTED_BUGS, 'shows a part refund'))
    const env = { npm_command: 'exec' }
    const found = await psp(['audit', `${url}/hooks`, ...SHORT, '--save', 'npx'], { cwd: folder.path, env })
    const again = await psp(['audit', `${url}/hooks`, ...PROBES, '--replay', 'npx/1.json'], { cwd: folder.path, env })
    for (const { code, stdout } of [found, again])
      expect([code, stdout]).toEqual([
        8,
        expect.stringMatching(/^ {2}replay {4}npx psp audit .*--replay npx\/1\.json$/m),
      ])
  })

  test('explains how to save a finding that was not saved', async () => {
    const url = await serveShop(createNamed(PLANTED_BUGS, 'shows a part refund'))
    const { stdout } = await explore(url, ...SHORT)
    expect(stdout).toMatch(/^ {2}replay {4}Repeat this search with --seed 8 --save found\. It writes the file$/m)
  })

  test('keeps the secret and the headers out of the reports', async () => {
    const url = await serveShop(createNamed(PLANTED_BUGS, 'shows a part refund'))
    const secrets = ['--secret', 'whs_private', '--header', 'X-Key: private']
    const reports = ['--junit', 'private.xml', '--html', 'private.html']
    const { stdout } = await explore(url, ...SHORT, ...secrets, ...reports, '--save', 'private')
    expect(stdout).toContain("--secret whs_private --header 'X-Key: private' --replay private/1.json")
    for (const file of ['private.xml', 'private.html']) {
      const report = readFileSync(join(folder.path, file), 'utf8')
      expect(report).toContain('--replay private/1.json')
      expect(report).not.toMatch(/whs_private|X-Key/)
      expect(report).toContain('true state')
    }
  })

  test('shows the states below each message if the table is wider than the terminal', async () => {
    const url = await serveShop(createNamed(PLANTED_BUGS, 'shows a part refund'))
    const { stdout } = await psp(['audit', `${url}/hooks`, ...SHORT], {
      cwd: folder.path,
      systemClock: PATIENT,
      terminal: true,
      columns: 80,
    })
    const text = stripVTControlCharacters(stdout)
    expect(text).toMatch(/^ {5}sent +response$/m)
    expect(text).toMatch(/^ {5}state after it {2}status=refunded/m)
    expect(text).toMatch(/^ {5}true state {6}partly refunded$/m)
    expect(text.split('\n').every((line) => line.length <= 80)).toBe(true)
  })

  test('reports what was not judged as text and as JSON', async () => {
    const handler = { ...createNamed(CORRECT_HANDLERS, 'merges'), balance: () => 0 }
    const url = await serveShop(handler)
    const { code, stdout } = await explore(url, ...SHORT)
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^not judged {2}balance\. It did not change in any simple story\.\n {2}fix {7}Let the probe show/m,
    )
    const json = await explore(url, ...SHORT, '--json')
    expect(lines(json.stdout).at(-1)).toMatchObject({ not_judged: [{ what: 'balance', why: expect.any(String) }] })
  })

  test('names the probe that never settles if there was no time for a story', async () => {
    let reads = 0
    const handler = createNamed(CORRECT_HANDLERS, 'merges')
    const order = (id: string) => handler.order(id) && { ...(handler.order(id) as object), reads: ++reads }
    const url = await serveShop({ ...handler, order })
    const { code, stderr } = await exploreUntilTimeEnds(url, '--explore', '1s', ...PROBES, '--probe-settle', '50ms')
    expect([code, stderr]).toEqual([1, expect.stringContaining('$.reads of orders/{order_id} never settles')])
  })

  test('writes one JSON line for each finding, and a summary', async () => {
    const url = await serveShop(createNamed(PLANTED_BUGS, 'credits each copy'))
    const { code, stdout } = await explore(url, ...SHORT, '--seed', '4', '--json')
    expect(code).toBe(8)
    const [finding, summary] = lines(stdout)
    expect(finding).toMatchObject({ type: 'finding', deliveries: 2, steps: 2, rate: 1, rows: expect.any(Array) })
    expect(summary).toMatchObject({ type: 'summary', findings: 1, seed: 4, situations: expect.any(Array) })
  })

  test('exits with 0 if it finds nothing, and lists the situations', async () => {
    const url = await serveShop(createNamed(CORRECT_HANDLERS, 'merges'))
    const { code, stdout } = await explore(url, ...SHORT)
    expect(code).toBe(0)
    expect(stdout).toContain('Reached: ')
    expect(stdout).toContain('0 findings in')
  })

  test('reports what a probe would add if there is none, and judges responses', async () => {
    const url = await serveShop(createNamed(PLANTED_BUGS, '500 to a cancelled'))
    const { code, stdout, stderr } = await explore(url, '--explore', '5s', '--deliveries', '60', '--seed', '1')
    expect(stderr).toContain('Without a probe only responses are judged.')
    expect(code).toBe(8)
    expect(stdout).toContain('availability: The handler refuses payment.cancelled nine times.')
  })

  test('exits with 6 if nothing listens', async () => {
    const { code, stderr } = await explore(`localhost:${await refusingPort()}`, '--explore', '5s')
    expect(code).toBe(6)
    expect(stderr).toContain('Start the handler first')
  })

  test('writes JUnit and HTML reports with one check for each rule', async () => {
    const url = await serveShop(createNamed(PLANTED_BUGS, 'shows a part refund'))
    await explore(url, ...SHORT, '--junit', 'explore.xml', '--html', 'explore.html')
    expect(readFileSync(join(folder.path, 'explore.xml'), 'utf8')).toMatch(/tests="7" failures="1"/)
    expect(readFileSync(join(folder.path, 'explore.html'), 'utf8')).toContain('<code>truth</code>')
  })

  test('explores a handler that knows only its orders if the shop creates them', async () => {
    const url = await serveShop(createNamed(CORRECT_HANDLERS, 'only orders it knows'))
    const { code, stdout } = await explore(url, ...SHORT, '--order-url', 'orders')
    expect(stdout).toContain('0 findings')
    expect(code).toBe(0)
  })

  test('creates orders with a command', async () => {
    const url = await serveShop(createNamed(CORRECT_HANDLERS, 'merges'))
    const { code } = await explore(url, ...SHORT, '--order-cmd', 'echo "A-$$-$PSP_ORDER_AMOUNT"')
    expect(code).toBe(0)
  })

  test.each([
    ['--order-cmd', 'echo A-1'],
    ['--order-url', 'same'],
  ])('does not use an order twice that %s returns twice', async (flag, value) => {
    const url = await serveHandler(
      (request, response) => void response.end(request.url === '/same' ? '{"id":"A-1"}' : ''),
    )
    const { code, stderr } = await explore(url, '--explore', '5s', flag, value)
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${flag} returned the order A-1 twice.`)])
  })

  test('waits for a slow probe for up to --timeout', async () => {
    const url = await serveHandler((request, response) => void (request.method === 'POST' && response.end()))
    const probe = ['--probe', 'orders/{order_id}']
    const { code, stderr } = await explore(url, '--explore', '20s', '--timeout', '1s', ...probe)
    expect([code, stderr]).toEqual([1, expect.stringContaining('returned no value within 1s')])
  })

  test('reports that the given orders ran out', async () => {
    const url = await serveShop(createNamed(CORRECT_HANDLERS, 'merges'))
    const orders = Array.from({ length: 14 }, (_, at) => ['--order-id', `A-${at}`]).flat()
    const { stdout } = await explore(url, ...SHORT_IN_LANES, ...orders)
    expect(stdout).toContain('All orders of --order-id were used.')
    const none = await explore(url, ...SHORT, '--order-id', 'A-1')
    expect(none.code).toBe(1)
    expect(none.stderr).toContain('--order-url')
  })

  describe('if the shop stops creating orders', () => {
    /** Creates 20 orders, and then fails. */
    const CREATE = 'n=$(cat count 2>/dev/null || echo 0); echo $((n + 1)) > count; [ $n -lt 20 ] && echo A-$n'

    test.each([
      [['--order-cmd', CREATE], 'The order command exited with 1.'],
      [['--order-url', 'orders'], '/orders responded 500 without the id of an order.'],
    ])('reports what was found in all formats (%j)', async (flags, message) => {
      rmSync(join(folder.path, 'count'), { force: true })
      const url = await serveShop(createNamed(PLANTED_BUGS, 'shows a part refund'), 20)
      const reports = ['--junit', 'no-orders.xml', '--html', 'no-orders.html', '--force']
      const { code, stdout } = await explore(url, ...SHORT, '--deliveries', '60', ...flags, ...reports, '--json')
      expect(code).toBe(8)
      expect(lines(stdout)).toMatchObject([
        { type: 'finding', id: 'truth' },
        { type: 'summary', findings: 1, end: 'order failed', failure: expect.stringContaining(message) },
      ])
      expect(readFileSync(join(folder.path, 'no-orders.xml'), 'utf8')).toMatch(/tests="7" failures="1"/)
      expect(readFileSync(join(folder.path, 'no-orders.html'), 'utf8')).toContain('<code>truth</code>')
    })

    test('reports a failed run and exits with 1 if nothing was found', async () => {
      const url = await serveShop(createNamed(CORRECT_HANDLERS, 'merges'), 9)
      const { code, stderr } = await explore(url, ...SHORT, '--order-url', 'orders', '--junit', 'nothing.xml')
      expect([code, stderr]).toEqual([1, expect.stringContaining('/orders responded 500 without the id of an order.')])
      expect(readFileSync(join(folder.path, 'nothing.xml'), 'utf8')).toContain('responded 500 without the id')
    })
  })

  test('keeps what was found if it is interrupted', async () => {
    const url = await serveShop(createNamed(PLANTED_BUGS, 'shows a part refund'))
    const flags = [...SHORT, '--explore', '60s', '--deliveries', '100000', '--json']
    const running = startPsp(['audit', `${url}/hooks`, ...flags], { cwd: folder.path, systemClock: PATIENT })
    await waitUntil(() => running.output().includes('"finding"'))
    running.signal('SIGINT')
    const { code, stdout } = await running.ended
    expect(code).toBe(8)
    expect(lines(stdout).at(-1)).toMatchObject({ type: 'summary', end: 'interrupted' })
  })

  test.each(SIGNALS)('exits after %s with %d if it has found nothing', async (signal, exitCode) => {
    const url = await serveShop(createNamed(CORRECT_HANDLERS, 'merges'))
    const flags = ['--explore', '60s', '--deliveries', '100000', ...PROBES]
    const running = startPsp(['audit', `${url}/hooks`, ...flags], { cwd: folder.path, systemClock: PATIENT })
    await waitUntil(() => running.errors().includes('Seed'))
    running.signal(signal)
    const { code, stdout } = await running.ended
    expect(code).toBe(exitCode)
    expect(stdout).toContain('The search was interrupted.')
  })

  test('reports that a handler never responds, and exits with 8', async () => {
    const url = await serveHandler(() => {})
    const { code, stdout } = await explore(url, '--explore', '100ms', '--timeout', '100ms')
    expect(code).toBe(8)
    expect(stdout).toContain('availability: The handler does not respond to payment.succeeded.')
    expect(stdout).toContain('The search ended because the handler does not respond. Fix this first.')
  })

  test('reports once that a handler closes every connection, with its nine attempts in one line', async () => {
    const url = await serveHandler((request) => void request.socket.destroy())
    const { code, stdout } = await explore(url, '--explore', '20s', '--seed', '1')
    expect(code).toBe(8)
    expect(stdout.match(/^found /gm)).toHaveLength(1)
    expect(stdout).toContain('availability: The handler closes the connection of payment.succeeded nine times.')
    expect(stdout).toMatch(/^ {2}1-9 {2}payment.succeeded p1 \(1000.00\) {2}closed$/m)
    expect(stdout).toContain('The search ended because the handler rejected every simple story.')
  })

  test('reports that the body of a response never ends, and exits with 8', async () => {
    const url = await serveHandler((_, response) => void response.write('a'))
    const { code, stdout } = await explore(url, '--explore', '5s', '--timeout', '1s')
    expect(code).toBe(8)
    expect(stdout).toContain('availability: The handler does not finish its response to payment.succeeded.')
    expect(stdout).toMatch(/^ {2}got {7}200, but the response from 127/m)
    expect(stdout).toMatch(/^ {2}1 {2}payment.succeeded p1 \(1000.00\) {2}200, no end$/m)
  })

  test('reports that the handler breaks off its responses, and exits with 8', async () => {
    const url = await serveHandler((request, response) => {
      response.writeHead(200, { 'Content-Length': 10 }).write('a', () => void request.socket.destroy())
    })
    const { code, stdout } = await explore(url, '--explore', '20s', '--seed', '1')
    expect(code).toBe(8)
    expect(stdout).toContain('availability: The handler breaks off its response to payment.succeeded nine times.')
    expect(stdout).toMatch(/^ {2}got {7}200, but /m)
    expect(stdout).toMatch(/^ {2}1-9 {2}payment.succeeded p1 \(1000.00\) {2}200, broken off$/m)
  })

  test('does not pass a handler that is too slow for a story', async () => {
    const url = await serveHandler((_, response) => void setTimeout(() => response.end(), 60))
    const { code, stderr } = await exploreUntilTimeEnds(url, '--explore', '50ms', '--junit', 'slow.xml')
    expect([code, stderr]).toEqual([1, expect.stringContaining('No story was finished in 50ms')])
    const junit = readFileSync(join(folder.path, 'slow.xml'), 'utf8')
    expect(junit).toMatch(/tests="8" failures="1" errors="0" skipped="7"/)
    expect(junit).toContain('No story was finished in 50ms')
  })

  test.each([
    [['--deliveries', '1'], 'No story was finished. The simple stories at the start took'],
    [numberedOrders(9), 'No story was finished before the orders ran out.'],
  ])('does not pass if %j ended the search before a story was finished', async (flags, message) => {
    const url = await serveHandler((_, response) => void response.end())
    const { code, stderr } = await explore(
      url,
      '--explore',
      '20s',
      '--seed',
      '1',
      '--junit',
      'none.xml',
      '--force',
      ...flags,
    )
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)])
    const junit = readFileSync(join(folder.path, 'none.xml'), 'utf8')
    expect(junit).toContain(message)
    expect(junit).toContain('at least one finished story')
  })

  test('reports that the handler crashed, although its probes then fail too, and exits with 8', async () => {
    let left = 30
    const url = await serveHandler((request, response) => {
      if (request.method === 'GET') return void response.end(`{"left":${left}}`)
      if (left-- > 0) return void response.end()
      const { server } = request.socket as unknown as { server: Server }
      server.close()
      server.closeAllConnections()
    })
    const { code, stdout } = await explore(url, '--explore', '20s', '--seed', '1', ...PROBES)
    expect(code).toBe(8)
    expect(stdout).toMatch(/availability: The handler crashed on pay[a-z]+\.[a-z]+\./)
    expect(stdout).toContain('The search ended because the handler no longer accepts connections. See its log.')
  })

  test.skipIf(process.platform !== 'linux')('exits with 1 if the folder of --save cannot be created', async () => {
    const { code, stderr } = await explore('localhost:1', '--explore', '1s', '--save', '/proc/psp-found')
    expect([code, stderr]).toEqual([1, expect.stringContaining('/proc/psp-found cannot be written')])
  })

  test.each([
    [['--seed', '3'], '--seed belongs to --explore.'],
    [['--explore', '1s', '--replay', 'x.json'], '--explore and --replay cannot be used together.'],
    [['--explore', '1s', '--only', 'valid'], '--only belongs to the checks'],
    [['--order-cmd', 'x'], '--order-cmd belongs to --explore and --replay.'],
    [
      ['--explore', '1s', '--order-cmd', 'x', '--order-url', 'y'],
      '--order-cmd and --order-url cannot be used together.',
    ],
    [['--replay', 'missing.json'], 'missing.json cannot be read'],
  ])('does not accept the flags %j', async (flags, message) => {
    const { code, stderr } = await explore('localhost:1', ...flags)
    expect(code).toBe(2)
    expect(stderr).toContain(message)
  })
})

describe('`psp audit --replay`', () => {
  const FILE = 'saved/1.json'
  let bug: string
  beforeAll(async () => {
    bug = await serveShop(createNamed(PLANTED_BUGS, 'shows a part refund'))
    await explore(bug, ...SHORT, '--save', 'saved')
  })

  test('reports the finding again, or that it is fixed', async () => {
    const again = await explore(bug, ...PROBES, '--replay', FILE)
    expect(again.code).toBe(8)
    expect(again.stdout).toContain('found  truth')
    const fixed = await explore(await serveShop(createNamed(CORRECT_HANDLERS, 'merges')), ...PROBES, '--replay', FILE)
    expect(fixed.code).toBe(0)
    expect(fixed.stdout).toBe(`passed  ${FILE}, 1 of 1\n`)
    expect(fixed.stderr).toContain(`Replaying ${FILE} against http://127.0.0.1:`)
  })

  test('reports that a handler hangs, and exits with 8', async () => {
    const silent = await serveHandler((request, response) => void (request.method === 'GET' && response.end('{}')))
    const { code, stdout } = await explore(silent, ...PROBES, '--timeout', '1s', '--replay', FILE)
    expect(code).toBe(8)
    expect(stdout).toContain('availability: The handler does not respond to payment.succeeded.')
  })

  test.each(SIGNALS)('exits after %s with %d', async (signal, exitCode) => {
    const silent = await serveHandler((request, response) => {
      if (request.method === 'GET') return void response.end('{}')
      running.signal(signal)
    })
    const running = startPsp(['audit', `${silent}/hooks`, ...PROBES, '--replay', FILE], { cwd: folder.path })
    expect((await running.ended).code).toBe(exitCode)
  })

  test('exits with 2 without the probe that shows the finding', async () => {
    for (const flags of [[], ['--probe', 'balance']]) {
      const { code, stderr } = await explore(bug, ...flags, '--replay', FILE)
      expect([code, stderr]).toEqual([2, expect.stringContaining("This case needs --probe 'orders/{order_id}'.")])
    }
  })

  test('names the invalid part of a file', async () => {
    writeFileSync(join(folder.path, 'bad.json'), '{"finding":{"id":"x","title":"y","schedule":[],"resends_all":false}}')
    const { code, stderr } = await explore('localhost:1', '--replay', 'bad.json')
    expect(code).toBe(2)
    expect(stderr).toContain('bad.json is not a finding: finding.story')
    writeFileSync(join(folder.path, 'deep.json'), `${'['.repeat(5000)}${']'.repeat(5000)}`)
    const deep = await explore('localhost:1', '--replay', 'deep.json')
    expect([deep.code, deep.stderr]).toEqual([2, expect.stringContaining('nested more than 64 levels deep')])
  })

  test.skipIf(process.platform === 'win32')('reads a file only up to a limit', async () => {
    const { code, stderr } = await explore('localhost:1', '--replay', '/dev/zero')
    expect([code, stderr]).toEqual([2, expect.stringContaining('/dev/zero is longer than 16 MiB')])
  })
})
