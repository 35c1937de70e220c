// A server that listens before its sandbox and its modules are loaded.
import { connect } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { bindServer, PortUnavailableError, startServer } from '../../src/node/server.ts'
import { assembleSandbox } from '../../src/sandbox.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'

const module = vi.hoisted(() => ({ isBroken: false }))

vi.mock('../../src/node/fetch-listener.ts', async (original) => {
  const { fetchListener } = await original<typeof import('../../src/node/fetch-listener.ts')>()
  return {
    get fetchListener() {
      if (module.isBroken) throw new Error('Cannot find module fetch-listener')
      return fetchListener
    },
  }
})

const options = { port: 0, host: '127.0.0.1', systemClock: createSystemClock() }

async function bound() {
  const server = await bindServer(options)
  onTestFinished(() => server.close({ grace_ms: 0 }))
  return server
}

/** Sends the request once it is connected; the reply is what comes until the connection ends. */
async function send(port: number, head: string, body = '') {
  const socket = connect(port, '127.0.0.1')
  await new Promise((done) => socket.once('connect', done))
  let text = ''
  const reply = new Promise<string>((done) => {
    socket.on('data', (bytes) => {
      text += bytes
    })
    socket.once('close', () => done(text))
    socket.on('error', () => {})
  })
  const headers = `Host: 127.0.0.1:${port}\r\nConnection: close\r\nContent-Length: ${body.length}`
  socket.write(`${head}\r\n${headers}\r\n\r\n${body}`)
  return { reply, text: () => text }
}

/** A request that needs no sandbox is answered: the server has read what was sent before it. */
async function caughtUp(port: number): Promise<void> {
  const refused = await send(port, 'GET / HTTP/1.1\r\nHost: twice')
  expect(await refused.reply).toMatch(/^HTTP\/1.1 400 /)
}

test('requests that come before the sandbox wait for it, and keep their bodies', async () => {
  const server = await bound()
  const sandbox = await assembleSandbox()
  onTestFinished(() => sandbox.close({ grace_ms: 0 }))
  const head = 'POST /v1/public/payments HTTP/1.1\r\nContent-Type: application/json\r\nAuthorization: Bearer'
  const asked = [
    await send(server.port, 'GET /_psp/health HTTP/1.1'),
    await send(server.port, `${head} ${sandbox.startShop().api_key}`, '{"amount":100}'),
  ]
  await caughtUp(server.port)
  expect(asked.map(({ text }) => text())).toEqual(['', ''])
  server.serve(sandbox)
  const [health, created] = await Promise.all(asked.map(({ reply }) => reply))
  expect(health).toMatch(/^HTTP\/1.1 200 /)
  expect(created).toMatch(/^HTTP\/1.1 201 /)
  expect((await fetch(`${server.url}/_psp/health`)).status).toBe(200)
})

test('a server that is closed before it serves cuts the requests that wait', async () => {
  const server = await bindServer(options)
  const { reply } = await send(server.port, 'GET /_psp/health HTTP/1.1')
  await caughtUp(server.port)
  await server.close({ grace_ms: 0 })
  expect(await reply).toBe('')
})

test('a port that is taken is refused', async () => {
  const { port } = await bound()
  await expect(bindServer({ ...options, port })).rejects.toThrow(PortUnavailableError)
})

test('a server whose modules cannot be loaded responds with 500 until they can', async () => {
  module.isBroken = true
  const handler = { fetch: async () => new Response('here') }
  const server = await startServer(handler, options)
  const refused = await fetch(`${server.url}/_psp/health`)
  expect([refused.status, await refused.json()]).toMatchObject([500, { error: { code: 'internal_error' } }])
  module.isBroken = false
  expect(await (await fetch(`${server.url}/_psp/health`)).text()).toBe('here')
  await server.close({ grace_ms: 0 })
})
