// What a command says whose server fails it while it listens.
import { createServer, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { manualSystemClock } from '../time/manual-system-clock.ts'
import { startPsp, startTestServer, type TestServer, waitUntil } from './helpers.ts'

let rig: TestServer
let broken: boolean
const closing: (() => void)[] = []

beforeEach(async () => {
  rig = await startTestServer()
  broken = false
})
afterEach(async () => {
  for (const close of closing.splice(0)) close()
  await rig.close()
})

interface Way {
  readonly url: string
  readonly answered: readonly string[]
  breakDown(): void
}

/** The sandbox's server behind a way that cuts what `cuts` names, and once it is `broken` everything. */
async function brittleWay(cuts: RegExp): Promise<Way> {
  const own = new URL(rig.url)
  const server = createServer((asked, answer) => {
    if (broken || cuts.test(`${asked.method} ${asked.url}`)) return void asked.socket.destroy()
    const { url: path = '/', method = 'GET' } = asked
    const onward = request(
      { host: own.hostname, port: own.port, path, method, headers: { ...asked.headers, host: own.host } },
      (reply) => {
        answer.writeHead(reply.statusCode ?? 500, reply.headers)
        answer.flushHeaders()
        reply.pipe(answer)
        reply.on('error', () => answer.destroy())
        answer.on('finish', () => answered.push(`${method} ${path}`))
      },
    )
    onward.on('error', () => answer.destroy())
    asked.pipe(onward)
    open.add(answer)
  })
  const open = new Set<ServerResponse>()
  const answered: string[] = []
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answered,
    breakDown() {
      broken = true
      for (const answer of open) answer.destroy()
    },
  }
}

test.each([
  ['payments create --amount 1 --wait', /GET \/v1\/public\/payments/],
  ['wait payment.succeeded --since 1m', /GET \/_psp\/events/],
])('%s ends with 6 and one error where its own look back is cut', async (line, cuts) => {
  const { url } = await brittleWay(cuts)
  const ran = await startPsp([...line.split(' '), '--json', '--url', url]).ended
  expect(ran.code).toBe(6)
  expect(ran.stdout).toBe('')
  expect(JSON.parse(ran.stderr)).toMatchObject({
    error: { code: 'unreachable', message: expect.stringContaining('the connection was closed') },
  })
})

test('a payment whose server went away is told of, after some patience', async () => {
  const { url, breakDown, answered } = await brittleWay(/^never$/)
  const systemClock = manualSystemClock(Date.now())
  const running = startPsp(['payments', 'create', '--amount', '1', '--wait', '--outcome', 'pending', '--url', url], {
    systemClock,
  })
  await waitUntil(() => running.errors().includes('waiting for its final status'))
  await waitUntil(() => answered.some((line) => line.startsWith('GET /v1/public/payments/')))
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
