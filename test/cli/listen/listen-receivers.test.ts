// What real receivers do to a listener: each of them is told in words, and none keeps another waiting.
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTestServer, type TestServer, waitUntil } from '../helpers.ts'

let rig: TestServer
const open: (() => Promise<void>)[] = []

beforeEach(async () => {
  rig = await startTestServer()
})
afterEach(async () => {
  await rig.close()
  for (const close of open.splice(0)) await close()
})

async function place(answer: RequestListener, host = '127.0.0.1'): Promise<number> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => answer(request, response))
  })
  await new Promise<void>((resolve) => void server.listen(0, host, resolve))
  open.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => void server.close(resolve))
  })
  return (server.address() as AddressInfo).port
}

const attempts = (text: string) => text.split('\n').filter((line) => line.includes('  <-- '))

test('reset, closed early, redirected, without end, of IPv6 alone, not there', async () => {
  let sent = 0
  const ports = {
    reset: await place((request) => void request.socket.resetAndDestroy()),
    early: await place((request, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('abc')
      setImmediate(() => request.socket.destroy())
    }),
    redirect: await place((_, response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/x' }).end()),
    // 1 GB, if anybody read it.
    endless: await place((_, response) => {
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
    v6: await place((_, response) => void response.end('ok'), '::1'),
    good: await place((_, response) => void response.end('ok')),
  }
  const forwards = Object.values(ports).flatMap((port) => ['--forward', `localhost:${port}/hooks`])
  const running = rig.startPsp(['listen', ...forwards])
  await waitUntil(() => running.errors().includes('Ready.'))
  await rig.psp('trigger payment.failed')
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

test('one that hangs keeps neither the others nor the API waiting, and frees its place when it answers late', async () => {
  let release = () => {}
  const slow = await place((_, response) => {
    release = () => void response.end('ok')
  })
  const quick = await place((_, response) => void response.end('ok'))
  const running = rig.startPsp(['listen', '--forward', `${slow}/slow`, '--forward', `${quick}/quick`])
  await waitUntil(() => running.errors().includes('Ready.'))
  expect((await rig.psp('trigger payment.failed')).code).toBe(0)
  expect((await rig.psp('trigger payment.succeeded')).code).toBe(0)
  await waitUntil(() => attempts(running.output()).length === 2)
  expect(attempts(running.output()).every((line) => line.includes('/quick'))).toBe(true)
  release()
  await waitUntil(() => attempts(running.output()).some((line) => line.includes('<-- 200') && line.includes('/slow')))
  running.signal('SIGINT')
  await running.ended
})
