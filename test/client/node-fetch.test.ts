import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createSocketServer } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createNodeFetch } from '../../src/client/node-fetch.ts'
import { listenOnIPv6Only } from '../ports.ts'

const servers: Server[] = []

function open(listener: RequestListener): Server {
  const server = createServer(listener)
  servers.push(server)
  return server
}

async function serve(listener: RequestListener) {
  const server = open(listener)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return (server.address() as AddressInfo).port
}

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

const echo: RequestListener = async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  response.setHeader('X-Length', request.headers['content-length'] ?? 'none')
  response.statusCode = 201
  response.end(`${request.method} ${request.url} ${Buffer.concat(chunks).toString()}`)
}

describe('fetch over node:http', () => {
  test('sends and counts bytes, and returns status, headers and text', async () => {
    const { fetch, close } = createNodeFetch()
    const port = await serve(echo)
    const reply = await fetch(`http://127.0.0.1:${port}/a?b=1`, { method: 'POST', headers: {}, body: '₽ж' })
    expect([reply.status, reply.headers.get('X-LENGTH')]).toEqual([201, '5'])
    expect(await reply.text()).toBe('POST /a?b=1 ₽ж')
    close()
  })

  test('reads the pieces of a body only as fast as the server takes them', async () => {
    const piece = Buffer.alloc(64 * 1024)
    let given = 0
    async function* pieces() {
      for (; given < 64 * 1024 * 1024; given += piece.length) yield piece
    }
    let take = () => {}
    const { fetch, close } = createNodeFetch()
    const port = await serve((request, response) => {
      response.flushHeaders()
      take = () => void request.resume().on('end', () => response.end('taken'))
    })
    const reply = await fetch(`http://127.0.0.1:${port}/`, { method: 'PUT', headers: {}, pieces: pieces() })
    expect(given).toBeLessThan(16 * 1024 * 1024)
    take()
    expect([await reply.text(), given]).toEqual(['taken', 64 * 1024 * 1024])
    close()
  })

  test('sends a length of 0 for a POST without a body', async () => {
    const { fetch, close } = createNodeFetch()
    const port = await serve(echo)
    const reply = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers: {} })
    expect(reply.headers.get('x-length')).toBe('0')
    await reply.text()
    close()
  })

  test('opens a new connection after an aborted request', async () => {
    const { fetch, close } = createNodeFetch()
    const port = await serve(
      (request, response) => void (request.url === '/silent' ? undefined : echo(request, response)),
    )
    let lines = 0
    servers.at(-1)?.on('connection', () => void lines++)
    const get = async (path: string, signal?: AbortSignal) => {
      const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
        method: 'GET',
        headers: {},
        ...(signal && { signal }),
      })
      return await reply.text()
    }
    await Promise.all([get('/a'), get('/b')])
    expect(lines).toBe(2)
    const watchdog = new AbortController()
    const silent = get('/silent', watchdog.signal)
    watchdog.abort(new Error('no data'))
    await expect(silent).rejects.toThrow('no data')
    await get('/c')
    expect(lines).toBe(3)
    close()
  })

  test('reaches a server on localhost if this process is busy while it connects', async () => {
    const { fetch, close } = createNodeFetch()
    const port = await serve(echo)
    const reply = fetch(`http://localhost:${port}/`, { method: 'GET', headers: {} })
    // Node sets the timeout of an address after this turn.
    await Promise.resolve()
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400)
    expect(await (await reply).text()).toBe('GET / ')
    close()
  })

  test.each([
    ['127.0.0.1', () => serve(echo)],
    ['::1', () => listenOnIPv6Only(open(echo))],
  ])('reaches a server on localhost that listens on %s only', async (_, listen) => {
    const { fetch, close } = createNodeFetch()
    const port = await listen()
    const reply = await fetch(`http://localhost:${port}/`, { method: 'GET', headers: {} })
    expect(reply.status).toBe(201)
    await reply.text()
    close()
  })

  test('streams a body, and stops at an abort', async () => {
    const { fetch, close } = createNodeFetch()
    const port = await serve((_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' })
      response.write('one')
    })
    const controller = new AbortController()
    const reply = await fetch(`http://127.0.0.1:${port}/`, { method: 'GET', headers: {}, signal: controller.signal })
    const chunks = reply.body?.[Symbol.asyncIterator]()
    expect(Buffer.from((await chunks?.next())?.value ?? []).toString()).toBe('one')
    controller.abort()
    await expect(chunks?.next()).rejects.toThrow()
    close()
  })

  test('ignores an abort after the end of a body that was not read completely', async () => {
    const { fetch, close } = createNodeFetch()
    const port = await serve((_, response) => {
      response.write('one')
      setImmediate(() => response.end('two'))
    })
    for (let round = 0; round < 20; round++) {
      const controller = new AbortController()
      const reply = await fetch(`http://127.0.0.1:${port}/`, { method: 'GET', headers: {}, signal: controller.signal })
      await reply.body?.[Symbol.asyncIterator]().next()
      for (let turn = 0; turn < round; turn++) await new Promise((resolve) => setImmediate(resolve))
      controller.abort()
    }
    // An error without a listener would end the process within these turns of the event loop.
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
    close()
  })

  test('reuses one connection for consecutive requests', async () => {
    const { fetch, close } = createNodeFetch()
    let connections = 0
    const port = await serve(echo)
    servers[0]?.on('connection', () => connections++)
    for (let i = 0; i < 3; i++) await (await fetch(`http://127.0.0.1:${port}/`, { method: 'GET', headers: {} })).text()
    expect(connections).toBe(1)
    close()
  })

  test('returns a redirect as a response', async () => {
    const { fetch, close } = createNodeFetch()
    const port = await serve((_, response) => response.writeHead(302, { Location: '/elsewhere' }).end())
    const reply = await fetch(`http://127.0.0.1:${port}/`, { method: 'GET', headers: {} })
    expect([reply.status, reply.headers.get('location')]).toEqual([302, '/elsewhere'])
    close()
  })

  test.each([
    ['with a protocol', 'Connection: Upgrade\r\nUpgrade: websocket\r\n\r\nbytes of it'],
    ['without one', 'Content-Length: 0\r\n\r\n'],
  ])('returns a 101 (switching protocols) %s as a response without a body', async (_, rest) => {
    const { fetch, close } = createNodeFetch()
    let closed: () => void = () => {}
    const ended = new Promise<void>((resolve) => {
      closed = resolve
    })
    const server = createSocketServer((socket) => {
      socket.on('error', () => {}).on('close', () => closed())
      socket.once('data', () => socket.write(`HTTP/1.1 101 Switching Protocols\r\n${rest}`)).resume()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const reply = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers: {}, body: '{}' })
    expect([reply.status, await reply.text()]).toEqual([101, ''])
    for await (const chunk of reply.body ?? []) expect(chunk).toBeUndefined()
    await ended
    server.close()
    close()
  })

  test('rejects if a connection closes without a response', async () => {
    const { fetch, close } = createNodeFetch()
    const port = await serve((request) => request.socket.end())
    const failure = fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers: {} })
    await expect(failure).rejects.toMatchObject({ code: 'ECONNRESET' })
    close()
  })

  test('rejects protocols other than http and https', async () => {
    const { fetch, close } = createNodeFetch()
    await expect(fetch('ftp://x', { method: 'GET', headers: {} })).rejects.toThrow('neither http: nor https:')
    close()
  })
})
