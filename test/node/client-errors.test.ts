import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createClientErrorHandler, refuseExpectation } from '../../src/node/client-errors.ts'
import { closeInStages } from '../../src/node/response.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'

let respond: (outgoing: ServerResponse, incoming: IncomingMessage) => void
let closeServer: () => void
let socket: Socket
let got = ''

beforeEach(async () => {
  const bytes = createClientErrorHandler((socket) => closeInStages(socket, createSystemClock()))
  const handle = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    bytes.follow(incoming, outgoing)
    respond(outgoing, incoming)
  }
  const server = createServer(handle).on('checkExpectation', handle).on('clientError', bytes.refuse)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  closeServer = () => server.close()
  socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  got = ''
  socket.on('data', (chunk) => {
    got += chunk
  })
})
afterEach(() => {
  socket.destroy()
  closeServer()
})

const closed = () => once(socket, 'close')
const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'
const GARBAGE = '\x00\x01 garbage \r\n\r\n'
const BAD_BODY = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nnot a length\r\n'
/** Returns the status lines in order. */
const lines = () => got.match(/HTTP\/1\.1 \d+/g)

describe('bytes that are not HTTP', () => {
  it('close the connection without a response if a response is in flight', async () => {
    respond = (outgoing) => {
      outgoing.writeHead(200)
      outgoing.write(': connected\n\n', () => socket.write(GARBAGE))
    }
    socket.write(GET)
    await closed()
    expect(lines()).toEqual(['HTTP/1.1 200'])
    expect(got).toMatch(/: connected\n\n\r\n$/)
  })

  it('close the connection if the response in flight is not that of the newest request', async () => {
    let asked = 0
    respond = (outgoing) => {
      if (++asked > 1) return
      outgoing.writeHead(200)
      outgoing.write('first', () => socket.write(BAD_BODY))
    }
    socket.write(GET)
    await closed()
    expect(asked).toBe(2)
    expect(lines()).toEqual(['HTTP/1.1 200'])
    expect(got).toMatch(/first\r\n$/)
  })

  it('get 400 after the response to a complete request', async () => {
    respond = (outgoing) => setImmediate(() => outgoing.writeHead(201).end('made'))
    socket.write(`${GET}${GARBAGE}`)
    socket.write(GARBAGE)
    await closed()
    expect(lines()).toEqual(['HTTP/1.1 201', 'HTTP/1.1 400'])
    expect(got).toContain('"code":"bad_request"')
  })

  it('get 400 after the responses to all complete requests', async () => {
    let made = 0
    respond = (outgoing) => setTimeout(() => outgoing.writeHead(201).end(`made ${++made}`), 5)
    socket.write(`${GET}${GET}${GET}${GARBAGE}`)
    await closed()
    expect(lines()).toEqual(['HTTP/1.1 201', 'HTTP/1.1 201', 'HTTP/1.1 201', 'HTTP/1.1 400'])
    expect(got.match(/made \d/g)).toEqual(['made 1', 'made 2', 'made 3'])
  })

  it('get 400 after the responses to earlier requests if they are the body of the newest one', async () => {
    respond = (outgoing, { method }) => {
      if (method === 'GET') setImmediate(() => outgoing.end('read'))
    }
    socket.write(`${GET}${GET}${BAD_BODY}`)
    await closed()
    expect(lines()).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 400'])
  })

  it.each(['', GET])('get no response after that to a request with an unknown expectation and %j', async (next) => {
    respond = (outgoing, incoming) => {
      if (incoming.headers.expect === undefined) setImmediate(() => outgoing.end('read'))
      else refuseExpectation(incoming, outgoing)
    }
    socket.write(`${GET}GET / HTTP/1.1\r\nHost: a\r\nExpect: y\r\n\r\n${next}${GARBAGE}`)
    await closed()
    expect(lines()).toEqual(['HTTP/1.1 200', 'HTTP/1.1 417'])
  })

  const CLOSE = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
  const OLD = 'GET / HTTP/1.0\r\n\r\n'
  it.each([
    [CLOSE, GET, 4],
    [CLOSE, GET, 8_000_000],
    [CLOSE, GARBAGE, 4],
    [CLOSE, GARBAGE, 8_000_000],
    [OLD, GET, 4],
    [GET, GARBAGE, 4],
    [GET, GARBAGE, 8_000_000],
  ])('get no response after one that closes the connection: %j, then %j, with %d bytes', async (last, next, bytes) => {
    let asked = 0
    respond = (outgoing) => {
      const isLast = ++asked > 1
      if (isLast && last === GET) outgoing.setHeader('Connection', 'close')
      queueMicrotask(() => outgoing.end('x'.repeat(isLast ? bytes : 1)))
    }
    socket.write(`${GET}${last}${next}`)
    await closed()
    expect(lines()).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200'])
    expect(got.endsWith(`\r\n\r\n${'x'.repeat(bytes)}`)).toBe(true)
  })

  it.each([BAD_BODY, BAD_BODY.replace('Host: a', 'Host: a\r\nConnection: close')])(
    'get 400 as the response to the request whose body they are: %j',
    async (request) => {
      respond = () => {}
      socket.write(request)
      await closed()
      expect(lines()).toEqual(['HTTP/1.1 400'])
    },
  )

  it('get 400 on a connection whose requests all have their responses', async () => {
    respond = (outgoing) => outgoing.end('done', () => socket.write(GARBAGE))
    socket.write(GET)
    await closed()
    expect(lines()).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400'])
  })
})
