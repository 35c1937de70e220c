import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createClientErrorHandler } from '../../src/node/client-errors.ts'
import { closeInStages } from '../../src/node/staged-close.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'

let answer: (outgoing: ServerResponse, incoming: IncomingMessage) => void
let closeServer: () => void
let socket: Socket
let got = ''

beforeEach(async () => {
  const bytes = createClientErrorHandler((socket) => closeInStages(socket, createSystemClock()))
  const server = createServer((incoming, outgoing) => {
    bytes.follow(incoming, outgoing)
    answer(outgoing, incoming)
  }).on('clientError', bytes.refuse)
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
/** Status lines, in order. */
const lines = () => got.match(/HTTP\/1\.1 \d+/g)

describe('bytes that are not HTTP', () => {
  it('end a connection without a word where an answer is under way', async () => {
    answer = (outgoing) => {
      outgoing.writeHead(200)
      outgoing.write(': connected\n\n', () => socket.write(GARBAGE))
    }
    socket.write(GET)
    await closed()
    expect(lines()).toEqual(['HTTP/1.1 200'])
    expect(got).toMatch(/: connected\n\n\r\n$/)
  })

  it('end it too where the answer under way is not the newest', async () => {
    let asked = 0
    answer = (outgoing) => {
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

  it('are refused after the answer to a whole request, which is not theirs', async () => {
    answer = (outgoing) => setImmediate(() => outgoing.writeHead(201).end('made'))
    socket.write(`${GET}${GARBAGE}`)
    socket.write(GARBAGE)
    await closed()
    expect(lines()).toEqual(['HTTP/1.1 201', 'HTTP/1.1 400'])
    expect(got).toContain('"code":"bad_request"')
  })

  it('are refused as the answer to the request whose body they are', async () => {
    answer = () => {}
    socket.write(BAD_BODY)
    await closed()
    expect(lines()).toEqual(['HTTP/1.1 400'])
  })

  it('are refused on a connection whose requests are all answered', async () => {
    answer = (outgoing) => outgoing.end('done', () => socket.write(GARBAGE))
    socket.write(GET)
    await closed()
    expect(lines()).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400'])
  })
})
