// Commands report a server that closes the connection or does not respond.
import { writeFileSync } from 'node:fs'
import { createServer, request, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'
import { manualSystemClock } from '../time/manual-system-clock.ts'
import { LINES } from './command-lines.ts'
import {
  closeHandlers,
  createTestDir,
  everyCommand,
  psp,
  serveHandler,
  startPsp,
  startTestServer,
  type TestServer,
  waitUntil,
} from './helpers.ts'

describe('a lost server', () => {
  let testServer: TestServer
  let broken: boolean
  const closing: (() => void)[] = []

  beforeEach(async () => {
    testServer = await startTestServer()
    broken = false
  })
  afterEach(async () => {
    for (const close of closing.splice(0)) close()
    await testServer.close()
  })

  interface BrittleProxy {
    readonly url: string
    readonly responded: readonly string[]
    /** Returns the number of open responses of event streams. */
    streams(): number
    /** Returns the number of requests that were cut. */
    rejected(): number
    breakDown(): void
    repair(): void
  }

  /** Starts a proxy that cuts requests matching `cuts`, and all requests once it is `broken`. It never responds to `ignores`. */
  async function startBrittleProxy(cuts: RegExp, ignores = /^never$/): Promise<BrittleProxy> {
    const own = new URL(testServer.url)
    const server = createServer((incoming, outgoing) => {
      if (broken || cuts.test(`${incoming.method} ${incoming.url}`)) {
        rejected++
        return void incoming.socket.destroy()
      }
      const { url: path = '/', method = 'GET' } = incoming
      if (ignores.test(`${method} ${path}`)) return
      const forwarded = request(
        { host: own.hostname, port: own.port, path, method, headers: { ...incoming.headers, host: own.host } },
        (response) => {
          outgoing.writeHead(response.statusCode ?? 500, response.headers)
          outgoing.flushHeaders()
          response.pipe(outgoing)
          response.on('error', () => outgoing.destroy())
          outgoing.on('finish', () => responded.push(`${method} ${path}`))
          if (response.headers['content-type']?.startsWith('text/event-stream')) streams.add(outgoing)
        },
      )
      forwarded.on('error', () => outgoing.destroy())
      incoming.pipe(forwarded)
      open.add(outgoing)
      outgoing.on('close', () => {
        open.delete(outgoing)
        streams.delete(outgoing)
      })
    })
    const open = new Set<ServerResponse>()
    const streams = new Set<ServerResponse>()
    let rejected = 0
    const responded: string[] = []
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closing.push(() => {
      server.close()
      server.closeAllConnections()
    })
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      responded,
      streams: () => streams.size,
      rejected: () => rejected,
      breakDown() {
        broken = true
        for (const outgoing of open) outgoing.destroy()
      },
      repair() {
        broken = false
      },
    }
  }

  test.each([
    ['tail', /Following/],
    ['listen --forward 9', /Ready/],
    ['logs --follow', /POST/],
    ['wait payment.refunded', undefined],
  ])('`psp %s` reports a second lost connection as it reported the first one, each once', async (line, started) => {
    const clock = createSystemClock()
    // Only the first reconnects are sooner. A busy server has the usual time to respond.
    const setTimeout = (run: () => void, ms: number) => clock.setTimeout(run, ms <= 1000 ? ms / 20 : ms)
    const systemClock = { ...clock, setTimeout }
    await testServer.psp('payments create --amount 1')
    const { url, breakDown, repair, streams, rejected } = await startBrittleProxy(/^never$/)
    const running = startPsp([...line.split(' '), '--url', url], { systemClock })
    await waitUntil(() => (started ?? /^/).test(running.output() + running.errors()) && streams() === 1)
    const losses = () => running.errors().split('Connection lost').length - 1
    for (const turn of [1, 2]) {
      const before = rejected()
      breakDown()
      // Each loss is reported once, and not again for each attempt to reconnect.
      await waitUntil(() => losses() >= turn && rejected() >= before + 3)
      repair()
      await waitUntil(() => streams() === 1)
      expect(losses()).toBe(turn)
    }
    running.signal('SIGINT')
    await running.ended
  })

  test.each(['tail', 'listen --forward 9'])(
    '`psp %s` exits with 130 if the server does not respond to its cleanup within 2 s',
    async (line) => {
      const { url, streams } = await startBrittleProxy(/^never$/, /^DELETE/)
      const clock = createSystemClock()
      const waits: number[] = []
      const setTimeout = (run: () => void, ms: number) => {
        waits.push(ms)
        return clock.setTimeout(run, ms / 20)
      }
      const running = startPsp([...line.split(' '), '--url', url], { systemClock: { ...clock, setTimeout } })
      await waitUntil(() => streams() === 1 && /Ready|Following/.test(running.errors()))
      waits.splice(0)
      running.signal('SIGINT')
      expect(await waitUntil(() => running.exits[0])).toBe(130)
      expect(waits).toContain(2000)
    },
  )

  test.each([
    ['payments create --amount 1 --wait', /GET \/v1\/public\/payments/],
    ['wait payment.succeeded --since 1m', /GET \/_psp\/events/],
  ])('`psp %s` exits with 6 and one error if its first read is cut', async (line, cuts) => {
    const { url } = await startBrittleProxy(cuts)
    const ran = await startPsp([...line.split(' '), '--json', '--url', url]).ended
    expect(ran.code).toBe(6)
    expect(ran.stdout).toBe('')
    expect(JSON.parse(ran.stderr)).toMatchObject({
      error: { code: 'unreachable', message: expect.stringContaining('the connection was closed') },
    })
  })

  describe('`psp trigger` reports a fault that it could not remove', () => {
    const HOLD = { id: 'hold', do: 'faults.add', with: { target: 'webhook', fault: 'hold' } }
    const PAY = { do: 'payments.create', with: { amount: 1 } }
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference of the scenario
    const RELEASE = { do: 'faults.remove', with: { id: '${hold.id}' } }

    async function trigger(cuts: RegExp, ...steps: object[]) {
      const { url } = await startBrittleProxy(cuts)
      const stdin = JSON.stringify({ name: 'x', steps })
      const ran = await startPsp(['trigger', '-', '--url', url], { stdin }).ended
      const [fault] = JSON.parse((await testServer.psp('faults list --json')).stdout).items
      return { ...ran, fault }
    }

    test.each([
      ['a step', 6, /^(POST .v1|DELETE)/, [HOLD, PAY, RELEASE]],
      ['the removal', 6, /^DELETE/, [HOLD]],
      ['the removal in a step', 6, /^DELETE/, [HOLD, RELEASE]],
      ['the removal after an unexpected result', 8, /^DELETE/, [HOLD, { do: 'payments.get', with: { id: 'pay_0' } }]],
    ])('if the connection is lost during %s, with exit code %d', async (_, expected, cuts, steps) => {
      const { code, stderr, fault } = await trigger(cuts, ...steps)
      expect(code).toBe(expected)
      expect(stderr).toMatch(/^error /m)
      expect(stderr).toContain(
        `The fault hold may remain. When the server runs, remove it: \`psp faults remove ${fault.id}\`.`,
      )
    })

    test('if the response that contains its id is lost', async () => {
      const { code, stderr } = await trigger(/^POST ._psp.faults/, HOLD)
      expect(code).toBe(6)
      expect(stderr).toContain(
        'The fault hold may remain. When the server runs, find and remove it: `psp faults list`, `psp faults remove ID`.',
      )
    })

    test('unless a step removed it', async () => {
      const { url, breakDown } = await startBrittleProxy(/^never$/)
      const wait = { do: 'wait', with: { event: 'payment.succeeded', timeout: '1h' } }
      const stdin = JSON.stringify({ name: 'x', steps: [HOLD, RELEASE, wait] })
      const running = startPsp(['trigger', '-', '--url', url], { stdin })
      await waitUntil(() => /^ok .* faults\.remove/m.test(running.output()))
      breakDown()
      const { code, stderr } = await running.ended
      expect(code).toBe(6)
      expect(stderr).not.toContain('may remain')
    })
  })

  test('`payments create --wait` keeps trying for a while, then reports the payment whose status is unknown', async () => {
    const { url, breakDown, responded } = await startBrittleProxy(/^never$/)
    const systemClock = manualSystemClock(Date.now())
    const running = startPsp(['payments', 'create', '--amount', '1', '--wait', '--outcome', 'pending', '--url', url], {
      systemClock,
    })
    await waitUntil(() => running.errors().includes('waiting for its final status'))
    await waitUntil(() => responded.some((line) => line.startsWith('GET /v1/public/payments/')))
    breakDown()
    await waitUntil(() => running.errors().includes('Connection lost'))
    const ended = running.ended
    let over = false
    ended.then(() => {
      over = true
    })
    while (!over) {
      await systemClock.advance(1000)
      await new Promise<void>((resolve) => setImmediate(resolve))
    }
    const { code, stderr } = await ended
    expect(code).toBe(6)
    expect(stderr.match(/Connection lost/g)).toHaveLength(1)
    expect(stderr).toMatch(
      /error payment [0-9a-f-]{36} was created, but its final status is unknown: .*\n`psp payments get /,
    )
  })
})

describe('a silent server', () => {
  let url: string
  const sockets = new Set<Socket>()
  const server = createSocketServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  })

  beforeEach(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterEach(async () => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
    await new Promise<void>((resolve) => void server.close(() => resolve()))
  })

  test('a command reports that it waits for a silent server, then exits with 6', async () => {
    const systemClock = manualSystemClock(Date.now())
    const running = startPsp(['payments', 'list', '--url', url], { systemClock })
    await waitUntil(() => sockets.size === 1)
    await systemClock.advance(5000)
    await waitUntil(() => sockets.size === 2)
    expect(running.errors()).toBe(`${url} has not responded yet. Still waiting.\n`)
    await systemClock.advance(10_000)
    const { code, stderr } = await running.ended
    expect(code).toBe(6)
    expect(stderr).toContain(`error ${url} cannot be reached: the server does not respond, not even to a health check`)
  })

  test('`psp wait` exits with 7 at its timeout if the server is silent', async () => {
    const { code, stderr } = await psp(['wait', 'payment.succeeded', '--timeout', '300ms', '--url', url])
    expect(code).toBe(7)
    expect(stderr).toContain(`${url} did not respond within 300ms.`)
  })

  test('`psp doctor` reports a server that accepts connections but does not respond', async () => {
    const clock = createSystemClock()
    const systemClock = { ...clock, setTimeout: (run: () => void, ms: number) => clock.setTimeout(run, ms / 20) }
    const { code, stdout } = await psp(['doctor', '--json', '--url', url], { systemClock })
    expect(code).toBe(1)
    const { checks } = JSON.parse(stdout)
    expect(checks.find((check: { name: string }) => check.name === 'server')).toMatchObject({
      result: 'fail',
      found: `${url} accepts connections but does not respond`,
    })
  })
})

describe('a server that responds only to health checks', () => {
  const requests: string[] = []
  let url: string

  beforeEach(async () => {
    requests.splice(0)
    url = await serveHandler((request, response) => {
      if (request.url === '/_psp/health') response.end('{"status":"ok","version":"0.1.0"}')
      else requests.push(`${request.method} ${request.url}`)
    })
  })
  afterEach(closeHandlers)

  /** Commands that send nothing to the server, or that do not wait for its response. */
  const INDEPENDENT = ['compare', 'completion', 'demo', 'exec', 'serve', 'sign']
  const WAITING = everyCommand().filter(({ path }) => !INDEPENDENT.includes(path))

  /** Commands that a signal ends normally. */
  const NORMAL_END = ['listen', 'record', 'tail', 'ui']

  test.each(WAITING)(
    '`psp $path` ends at the first Ctrl-C, with 0 if that is its normal end and else with 130',
    async ({ path }) => {
      const cwd = createTestDir()
      writeFileSync(join(cwd.path, 'body.json'), '{}')
      writeFileSync(join(cwd.path, 'state.json'), '{}')
      const given = path === 'record' ? 'record --to 9 --out new.har --port 0' : (LINES[path] ?? path)
      const line = given.replace('HOOKS', '9').replace('DELIVERY', 'dlv_1').replace('export state', 'export new')
      const running = startPsp([...line.split(' '), '--url', url], { cwd: cwd.path })
      await waitUntil(() => requests.length > 0)
      running.signal('SIGINT')
      const { code } = await running.ended
      expect({ code, exits: running.exits }).toEqual({ code: NORMAL_END.includes(path) ? 0 : 130, exits: [] })
      cwd.remove()
    },
  )
})

describe('a server that switches protocols', () => {
  test.each([
    [['audit', '--only', 'valid'], 8, 'got       101'],
    [['payments', 'list', '--url'], 1, 'responded 101'],
    [['wait', 'payment.*', '--timeout', '10s', '--url'], 1, 'responded 101'],
    [['request', 'GET', '/', '--url'], 1, '101'],
  ])('%j fails if the response is a 101', async (argv, code, text) => {
    const server = createServer()
    server.on('upgrade', () => {})
    server.on('connection', (socket) => {
      socket.on('error', () => {})
      socket.once('data', () =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
      )
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      const ran = await psp([...argv, `http://127.0.0.1:${(server.address() as AddressInfo).port}`])
      expect([ran.code, `${ran.stdout}\n${ran.stderr}`]).toEqual([code, expect.stringContaining(text)])
    } finally {
      server.close()
      server.closeAllConnections()
    }
  })
})
