// `psp listen` explains the errors of receivers, and a slow receiver delays no other.
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { listenOnIPv6Only } from '../../ports.ts'
import { startTestServer, type TestServer, waitUntil } from '../helpers.ts'

let testServer: TestServer
const open: (() => Promise<void>)[] = []

beforeEach(async () => {
  testServer = await startTestServer()
})
afterEach(async () => {
  await testServer.close()
  for (const close of open.splice(0)) await close()
})

async function startSocketReceiver(
  respond: RequestListener,
  listen: (server: Server) => Promise<number> = listenOnIPv4,
): Promise<number> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => respond(request, response))
  })
  const port = await listen(server)
  open.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => void server.close(resolve))
  })
  return port
}

async function listenOnIPv4(server: Server): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

const attempts = (text: string) => text.split('\n').filter((line) => line.includes('  <-- '))

test('`psp listen` explains a reset, an early close and a redirect, and accepts endless and IPv6 responses', async () => {
  let sent = 0
  const ports = {
    reset: await startSocketReceiver((request) => void request.socket.resetAndDestroy()),
    early: await startSocketReceiver((request, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('abc')
      setImmediate(() => request.socket.destroy())
    }),
    redirect: await startSocketReceiver(
      (_, response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/x' }).end(),
    ),
    // The body is 1 GB long, and the listener must not read it.
    endless: await startSocketReceiver((_, response) => {
      const piece = Buffer.alloc(1 << 20, 'x')
      response.writeHead(200)
      const more = (): void => {
        while (sent < 1024 && !response.destroyed) {
          sent++
          if (!response.write(piece)) return void response.once('drain', more)
        }
      }
      more()
    }),
    v6: await startSocketReceiver((_, response) => void response.end('ok'), listenOnIPv6Only),
    good: await startSocketReceiver((_, response) => void response.end('ok')),
  }
  const forwards = Object.values(ports).flatMap((port) => ['--forward', `localhost:${port}/hooks`])
  const running = testServer.startPsp(['listen', ...forwards])
  await waitUntil(() => running.errors().includes('Ready.'))
  await testServer.psp('trigger payment.failed')
  await waitUntil(() => attempts(running.output()).length === 6)
  running.signal('SIGINT')
  const { code, stdout, stderr } = await running.ended
  expect(code).toBe(0)
  const line = (port: number) => attempts(stdout).find((text) => text.includes(`:${port}/`))
  expect(line(ports.reset)).toMatch(/<-- --- .* attempt 1 of 9, next in 10 s/)
  expect(line(ports.early)).toMatch(/<-- 200 .* attempt 1 of 9, next in 10 s/)
  expect(line(ports.redirect)).toMatch(/<-- 302 .* attempt 1 of 9, next in 10 s/)
  for (const port of [ports.endless, ports.v6, ports.good])
    expect(line(port)).toMatch(/<-- 200 POST \S+ {2}\d+ ms( {2}evt_\w+)?$/)
  expect(stdout).toContain('Location: http://127.0.0.1:1/x')
  expect(stderr).toContain('The service does not follow redirects')
  expect(stdout).toContain('closed the connection before it responded.')
  expect(stdout).toContain('closed the connection in the middle of its response.')
  expect(stderr).toContain('See its log.')
  expect(sent).toBeLessThan(64)
})

test('a hanging receiver delays neither other receivers nor the API, and continues after its late response', async () => {
  let release = () => {}
  const slow = await startSocketReceiver((_, response) => {
    release = () => void response.end('ok')
  })
  const quick = await startSocketReceiver((_, response) => void response.end('ok'))
  const running = testServer.startPsp(['listen', '--forward', `${slow}/slow`, '--forward', `${quick}/quick`])
  await waitUntil(() => running.errors().includes('Ready.'))
  expect((await testServer.psp('trigger payment.failed')).code).toBe(0)
  expect((await testServer.psp('trigger payment.succeeded')).code).toBe(0)
  await waitUntil(() => attempts(running.output()).length === 2)
  expect(attempts(running.output()).every((line) => line.includes('/quick'))).toBe(true)
  release()
  await waitUntil(() => attempts(running.output()).some((line) => line.includes('<-- 200') && line.includes('/slow')))
  running.signal('SIGINT')
  await running.ended
})
