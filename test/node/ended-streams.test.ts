import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { streamSink } from '../../src/delivery/sse.ts'
import { type RunningServer, startServer } from '../../src/node/server.ts'
import { assembleSandbox } from '../../src/sandbox.ts'
import { serve } from '../http/fixtures.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

function ask({ port }: RunningServer, path: string, key = ''): Socket {
  const socket = connect(port, '127.0.0.1')
  closers.push(() => socket.destroy())
  socket.on('error', () => {})
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n\r\n`)
  return socket
}

async function startedServer(): Promise<{ server: RunningServer; key: string }> {
  const sandbox = await assembleSandbox({ clock: { mode: 'frozen' } })
  closers.push(() => sandbox.close())
  const server = await serve(sandbox)
  closers.push(() => server.close({ grace_ms: 0 }))
  return { server, key: sandbox.defaultShop().api_key ?? '' }
}

test('a replaced event stream of a key closes its connection', async () => {
  const { server, key } = await startedServer()
  let before: Socket | undefined
  for (let i = 0; i < 20; i++) {
    const socket = ask(server, '/v1/public/events', key)
    const closed = before === undefined ? undefined : once(before, 'close')
    before?.resume()
    await once(socket, 'data')
    await closed
    before = socket
  }
  expect(before?.destroyed).toBe(false)
})

test('a replaced stream of a listener closes its connection', async () => {
  const { server } = await startedServer()
  const made = await fetch(`${server.url}/_psp/listeners`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"url":"http://localhost:3000"}',
  })
  const { id } = (await made.json()) as { id: string }
  const first = ask(server, `/_psp/listeners/${id}/stream`)
  await once(first, 'data')
  let got = ''
  first.on('data', (chunk) => {
    got += chunk
  })
  const closed = once(first, 'close')
  await once(ask(server, `/_psp/listeners/${id}/stream`), 'data')
  await closed
  expect(got).toContain('event: replaced\n')
})

test('an event stream announces that its connection will be closed', async () => {
  const { server, key } = await startedServer()
  const [head] = await once(ask(server, '/v1/public/events', key), 'data')
  expect(String(head)).toMatch(/\r\nconnection: close\r\n/i)
})

test('an ended stream whose client does not read is cut after a second', async () => {
  const timers = new Map<number, () => void>()
  const systemClock = {
    setTimeout(fn: () => void, ms: number) {
      timers.set(ms, fn)
      return { cancel: () => timers.delete(ms) }
    },
  }
  const { sink, stream } = streamSink()
  const size = 32 * 1024 * 1024
  const handler = {
    async fetch(_request: Request, bindings?: { onStream?(opened: typeof stream): void }) {
      bindings?.onStream?.(stream)
      sink.write(Buffer.alloc(size, 'x'))
      return new Response(stream)
    },
  }
  const server = await startServer(handler, { port: 0, host: '127.0.0.1', systemClock })
  const client = ask(server, '/')
  await once(client, 'data')
  client.pause()
  sink.close()
  await expect.poll(() => timers.has(1000)).toBe(true)
  timers.get(1000)?.()
  let got = 0
  client.on('data', (chunk) => {
    got += chunk.length
  })
  client.resume()
  await once(client, 'close')
  expect(got).toBeLessThan(size)
  await server.close({ grace_ms: 60_000 })
})
