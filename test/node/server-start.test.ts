// Requests that arrive before the sandbox or a module of the server is loaded.
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

/** Connects and sends a request. The response has all the text once the connection ends. */
async function send(port: number, head: string, body = '') {
  const socket = connect(port, '127.0.0.1')
  await new Promise((done) => socket.once('connect', done))
  let text = ''
  const response = new Promise<string>((done) => {
    socket.on('data', (bytes) => {
      text += bytes
    })
    socket.once('close', () => done(text))
    socket.on('error', () => {})
  })
  const headers = `Host: 127.0.0.1:${port}\r\nConnection: close\r\nContent-Length: ${body.length}`
  socket.write(`${head}\r\n${headers}\r\n\r\n${body}`)
  return { response, text: () => text }
}

/** Waits for the response to a request that needs no sandbox. Then the server has read all earlier requests. */
async function caughtUp(port: number): Promise<void> {
  const refused = await send(port, 'GET / HTTP/1.1\r\nHost: twice')
  expect(await refused.response).toMatch(/^HTTP\/1.1 400 /)
}

test('requests that arrive before the sandbox wait for it and keep their bodies', async () => {
  const server = await bound()
  const sandbox = await assembleSandbox()
  onTestFinished(() => sandbox.close({ grace_ms: 0 }))
  const head = 'POST /v1/public/payments HTTP/1.1\r\nContent-Type: application/json\r\nAuthorization: Bearer'
  const asked = [
    await send(server.port, 'GET /_psp/health HTTP/1.1'),
    await send(server.port, `${head} ${sandbox.defaultShop().api_key}`, '{"amount":100}'),
  ]
  await caughtUp(server.port)
  expect(asked.map(({ text }) => text())).toEqual(['', ''])
  server.serve(sandbox)
  const [health, created] = await Promise.all(asked.map(({ response }) => response))
  expect(health).toMatch(/^HTTP\/1.1 200 /)
  expect(created).toMatch(/^HTTP\/1.1 201 /)
  expect((await fetch(`${server.url}/_psp/health`)).status).toBe(200)
})

test('a server that closes before it has a sandbox closes the connections of waiting requests', async () => {
  const server = await bindServer(options)
  const { response } = await send(server.port, 'GET /_psp/health HTTP/1.1')
  await caughtUp(server.port)
  await server.close({ grace_ms: 0 })
  expect(await response).toBe('')
})

test('a port in use is refused with PortUnavailableError', async () => {
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

test('an error that the handler throws gets a JSON response with 500, and ends the connection', async () => {
  const server = await startServer({ fetch: () => Promise.reject(new Error('a row is missing')) }, options)
  const response = await fetch(`${server.url}/_psp/health`)
  expect([response.status, response.headers.get('connection')]).toEqual([500, 'close'])
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  expect(await response.json()).toMatchObject({ error: { code: 'internal_error' } })
  await server.close({ grace_ms: 0 })
})
