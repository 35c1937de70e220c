import { afterEach, describe, expect, test } from 'vitest'
import { recordedCall } from '../../src/recordings/compare/recorded-call.ts'
import type { RecordedExchange } from '../../src/recordings/exchange.ts'
import { exchangeEntry } from '../../src/recordings/exchange-entry.ts'
import { ConnectTimeoutError, describeForwardingError, isProxyItself } from '../../src/recordings/forwarding-errors.ts'
import { createMasking } from '../../src/recordings/masking.ts'
import { refusingPort } from '../ports.ts'
import { type RecordedTraffic, rawServer, recordTraffic, type Wire } from './wire.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

/** Starts a target that handles each connection, and a proxy in front of it. */
async function behindProxy(accept: (wire: Wire) => void | Promise<void>, bodyLimit?: number): Promise<RecordedTraffic> {
  const target = await rawServer(accept)
  const traffic = await recordTraffic(target.url, bodyLimit)
  cleanups.push(traffic.stop, target.close)
  return traffic
}

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

describe('the recording proxy', () => {
  test('passes header fields on in their order and spelling, except hop-by-hop fields', async () => {
    let seen = ''
    const traffic = await behindProxy(async (wire) => {
      seen = await wire.until('\r\n\r\n')
      wire.socket.write(
        'HTTP/1.1 201 Made it\r\nX-B: 2\r\nx-a: 1\r\nX-B: 3\r\nKeep-Alive: timeout=9\r\nContent-Length: 2\r\n\r\nok',
      )
    })
    const client = await traffic.open(
      'GET /a?b=%20 HTTP/1.1\r\nhost: shop\r\nX-Two: 2\r\nx-One: \xe9\r\nX-Two: 3\r\nConnection: X-Gone, keep-alive\r\nX-Gone: 1\r\n\r\n',
    )
    const got = await client.until('ok')
    expect(seen).toMatch(
      /^GET \/a\?b=%20 HTTP\/1\.1\r\nhost: 127\.0\.0\.1:\d+\r\nX-Two: 2\r\nx-One: \xe9\r\nX-Two: 3\r\n/,
    )
    expect(seen).not.toContain('X-Gone')
    expect(got).toMatch(/^HTTP\/1\.1 201 Made it\r\nX-B: 2\r\nx-a: 1\r\nX-B: 3\r\nContent-Length: 2\r\n/)
    expect(got).not.toMatch(/timeout=9|Date:|Via:|X-Forwarded/i)
  })

  test('forwards and records the requests before malformed bytes, then responds 400 to those', async () => {
    const traffic = await behindProxy(async (wire) => {
      await wire.until('\r\n\r\n')
      setTimeout(() => wire.socket.write(OK), 20)
    })
    const get = 'GET /x HTTP/1.1\r\nHost: a\r\n\r\n'
    const client = await traffic.open(`${get}GARBAGE\r\n\r\n`)
    const { text } = await client.closed()
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400'])
    expect(await traffic.recorded(1)).toMatchObject([{ response: { status: 200 } }])
    expect(traffic.exchanges[0]?.error).toBeUndefined()
  })

  test('passes each chunk on when it is received, in both directions, with trailers', async () => {
    let seen = ''
    const traffic = await behindProxy(async (wire) => {
      await wire.until('one')
      wire.socket.write('HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nuno\r\n')
      seen = await wire.until('X-Check: 7\r\n\r\n')
      wire.socket.write('3\r\ndos\r\n0\r\nX-Sum: 8\r\n\r\n')
    })
    const client = await traffic.open(
      'POST / HTTP/1.1\r\nHost: a\r\nTE: trailers\r\nConnection: TE\r\nTrailer: X-Check\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n',
    )
    await client.until('uno')
    expect(client.text()).not.toContain('dos')
    client.socket.write('3\r\ntwo\r\n0\r\nX-Check: 7\r\n\r\n')
    expect(await client.until('X-Sum: 8\r\n\r\n')).toContain('3\r\nuno\r\n3\r\ndos\r\n0\r\nX-Sum: 8')
    expect(seen).toContain('3\r\none\r\n3\r\ntwo\r\n0\r\nX-Check: 7\r\n\r\n')
    expect(seen).toContain('TE: trailers')
    const [exchange] = await traffic.recorded(1)
    expect(exchange?.request.body.bytes.toString()).toBe('onetwo')
    expect(exchange?.response?.body.bytes.toString()).toBe('unodos')
  })

  test('passes Expect on, and 100 Continue back before the body is sent', async () => {
    const traffic = await behindProxy(async (wire) => {
      expect(await wire.until('\r\n\r\n')).toContain('Expect: 100-continue')
      wire.socket.write('HTTP/1.1 100 Continue\r\n\r\n')
      await wire.until('hello')
      wire.socket.write(OK)
    })
    const client = await traffic.open('PUT /x HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n')
    await client.until('HTTP/1.1 100 Continue\r\n\r\n')
    client.socket.write('hello')
    await client.until('ok')
  })

  test('passes a final response on when the target refuses the body', async () => {
    const traffic = await behindProxy(async (wire) => {
      await wire.until('\r\n\r\n')
      wire.socket.end('HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
    })
    const client = await traffic.open('PUT /x HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n')
    const { text } = await client.closed()
    expect(text).toMatch(/^HTTP\/1\.1 413 Too Large\r\n/)
    const [exchange] = await traffic.recorded(1)
    const masking = createMasking({ key: Buffer.alloc(32, 7) })
    const entry = await exchangeEntry(exchange as RecordedExchange, masking)
    expect(entry.comment).toBe('The request body is not recorded: the client did not send it.')
    const url = 'https://api.example/v1/public/payments'
    const call = recordedCall({ ...entry, request: { ...entry.request, url } }, 1)
    expect(call?.isBodyKnown).toBe(false)
  })

  test('records a request for the whole server with a valid URL', async () => {
    const traffic = await behindProxy(async (wire) => {
      await wire.until('\r\n\r\n')
      wire.socket.write(OK)
    })
    const client = await traffic.open('OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n')
    await client.until('ok')
    const [exchange] = await traffic.recorded(1)
    expect(new URL(exchange?.url ?? '').pathname).toBe('/*')
  })

  test('passes an early hint on before the response', async () => {
    const traffic = await behindProxy(async (wire) => {
      await wire.until('\r\n\r\n')
      wire.socket.write(`HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload; as=style\r\n\r\n${OK}`)
    })
    const client = await traffic.open('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    expect(await client.until('ok')).toMatch(
      /^HTTP\/1\.1 103 Early Hints\r\nLink: <\/a\.css>; rel=preload; as=style\r\n\r\nHTTP\/1\.1 200/,
    )
  })

  test.each([
    ['closes its connection', false],
    ['resets its connection', true],
  ])('does the same as a target that %s without a response', async (_, reset) => {
    const traffic = await behindProxy(async (wire) => {
      await wire.until('\r\n\r\n')
      if (reset) wire.socket.resetAndDestroy()
      else wire.socket.end()
    })
    const client = await traffic.open('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n')
    expect(await client.closed()).toEqual({ text: '', reset })
    const [exchange] = await traffic.recorded(1)
    expect(exchange?.response).toBeUndefined()
    expect(exchange?.error).toContain('closed the connection before it responded')
  })

  test.each([
    ['closes its connection', false],
    ['resets its connection', true],
  ])('delivers the beginning of a response, and does the same as a target that %s during it', async (_, reset) => {
    let target: Wire | undefined
    const traffic = await behindProxy(async (wire) => {
      target = wire
      await wire.until('\r\n\r\n')
      wire.socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf')
    })
    const client = await traffic.open('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await client.until('half')
    if (reset) target?.socket.resetAndDestroy()
    else target?.socket.end()
    expect(await client.closed()).toEqual({ text: expect.stringMatching(/\r\n\r\nhalf$/), reset })
    const [exchange] = await traffic.recorded(1)
    expect(exchange?.response?.body.bytes.toString()).toBe('half')
    expect(exchange?.error).toContain('in the middle of its response')
  })

  test('ends the request to the target when the client goes away', async () => {
    let ended: Promise<unknown> | undefined
    const traffic = await behindProxy(async (wire) => {
      ended = wire.closed()
      await wire.until('\r\n\r\n')
      wire.socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n: connected\n\n')
    })
    const client = await traffic.open('GET /events HTTP/1.1\r\nHost: a\r\n\r\n')
    await client.until(': connected')
    client.socket.destroy()
    await ended
    const [exchange] = await traffic.recorded(1)
    expect(exchange?.error).toContain('The client closed the connection')
    expect(exchange?.response?.body.bytes.toString()).toBe(': connected\n\n')
  })

  test('rejects a body that is not HTTP in its own name, and records that it closed the connection', async () => {
    const traffic = await behindProxy(() => {})
    const client = await traffic.open(
      'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nnot a length\r\n',
    )
    const { text } = await client.closed()
    expect(text).toMatch(/^HTTP\/1\.1 400 /)
    expect(text).toContain('"message":"psp record: The request could not be read as HTTP (HPE_INVALID_CHUNK_SIZE).')
    const [exchange] = await traffic.recorded(1)
    expect(exchange?.error).toBe(
      'The client sent bytes that cannot be read as HTTP, so `psp record` closed the connection.',
    )
    expect(exchange?.isClosedByClient).toBeUndefined()
  })

  test('records that the client closed the connection in the middle of its body', async () => {
    const traffic = await behindProxy(() => {})
    const client = await traffic.open('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf')
    client.socket.end()
    const [exchange] = await traffic.recorded(1)
    expect(exchange?.error).toBe('The client closed the connection before the end of the response.')
  })

  test('sends the head of a stream before its first message', async () => {
    const traffic = await behindProxy(async (wire) => {
      await wire.until('\r\n\r\n')
      wire.socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n')
    })
    const client = await traffic.open('GET /events HTTP/1.1\r\nHost: a\r\n\r\n')
    expect(await client.until('\r\n\r\n')).toContain('text/event-stream')
  })

  test('gives an HTTP/1.0 client a body that ends with the connection', async () => {
    const traffic = await behindProxy(async (wire) => {
      await wire.until('\r\n\r\n')
      wire.socket.write(
        'HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nX-Sum: 8\r\n\r\n',
      )
    })
    const client = await traffic.open('GET / HTTP/1.0\r\n\r\n')
    const { text } = await client.closed()
    expect(text).toMatch(/\r\n\r\nhi$/)
    expect(text).not.toMatch(/transfer-encoding/i)
  })

  test.each([
    ['HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n'],
    ['GET', 'HTTP/1.1 304 Not Modified\r\nETag: "a"\r\n\r\n'],
    ['DELETE', 'HTTP/1.1 204 No Content\r\n\r\n'],
  ])('passes a response of %s without a body, and keeps the connection', async (method, response) => {
    const traffic = await behindProxy(async (wire) => {
      await wire.until('\r\n\r\n')
      wire.socket.write(response)
      await wire.until('/second')
      wire.socket.write(OK)
    })
    const client = await traffic.open(`${method} / HTTP/1.1\r\nHost: a\r\n\r\n`)
    const [head = ''] = response.split('\r\n\r\n')
    expect((await client.until('\r\n\r\n')).startsWith(head)).toBe(true)
    client.socket.write('GET /second HTTP/1.1\r\nHost: a\r\n\r\n')
    await client.until('ok')
  })

  test('closes an idle connection of the client when the target closes its connection', async () => {
    const traffic = await behindProxy(async (wire) => {
      await wire.until('\r\n\r\n')
      wire.socket.write(OK)
      wire.socket.end()
    })
    const client = await traffic.open('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    expect((await client.closed()).text).toContain('ok')
  })

  test('sends pipelined requests one after the other, and the responses in order', async () => {
    const traffic = await behindProxy(async (wire) => {
      for (const path of ['/1', '/2', '/3']) {
        await wire.until(`GET ${path} `)
        wire.socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n${path}`)
      }
    })
    const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`
    const client = await traffic.open(['/1', '/2', '/3'].map(request).join(''))
    expect((await client.until('/3')).match(/\/\d(?=HTTP|$)/g)).toEqual(['/1', '/2', '/3'])
    expect((await traffic.recorded(3)).map(({ url }) => url.slice(-2))).toEqual(['/1', '/2', '/3'])
  })

  test('records only the first bytes of a long body, and passes all of it on', async () => {
    const traffic = await behindProxy(async (wire) => {
      await wire.until('END')
      wire.socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 1003\r\n\r\n${'b'.repeat(1000)}end`)
    }, 10)
    const client = await traffic.open(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 503\r\n\r\n${'a'.repeat(500)}END`)
    expect(await client.until('end')).toContain('b'.repeat(1000))
    const [exchange] = await traffic.recorded(1)
    expect(exchange?.request.body).toEqual({ bytes: Buffer.from('a'.repeat(10)), length: 503 })
    expect(exchange?.response?.body).toEqual({ bytes: Buffer.from('b'.repeat(10)), length: 1003 })
  })

  test('stops reading from the target while the client does not read', async () => {
    const piece = Buffer.alloc(1024 * 1024, 'x')
    let written = 0
    let blocked: (() => void) | undefined
    const stalled = new Promise<void>((done) => {
      blocked = done
    })
    const traffic = await behindProxy(async (wire) => {
      await wire.until('\r\n\r\n')
      wire.socket.write('HTTP/1.1 200 OK\r\n\r\n')
      // A socket buffers some MiB. A proxy without backpressure would take everything.
      const more = () => {
        if (written >= 512) return blocked?.()
        written++
        if (wire.socket.write(piece)) return more()
        const timer = setTimeout(() => blocked?.(), 500)
        wire.socket.once('drain', () => {
          clearTimeout(timer)
          more()
        })
      }
      more()
    }, 10)
    const client = await traffic.open('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    client.socket.pause()
    await stalled
    expect(written).toBeLessThan(64)
  })

  test('records an open stream when the recording ends', async () => {
    const traffic = await behindProxy(async (wire) => {
      await wire.until('\r\n\r\n')
      wire.socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nevent: a\n\n')
    })
    const client = await traffic.open('GET /events HTTP/1.1\r\nHost: a\r\n\r\n')
    await client.until('event: a')
    await traffic.stop()
    expect(traffic.exchanges).toHaveLength(1)
    expect(traffic.exchanges[0]?.error).toBe('The recording ended before the end of the response.')
  })
})

describe('a target that cannot be used', () => {
  test('gets 502 with the cause if nothing listens', async () => {
    const traffic = await recordTraffic(`http://127.0.0.1:${await refusingPort()}`)
    cleanups.push(traffic.stop)
    const client = await traffic.open('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}')
    const text = await client.until('}}')
    expect(text).toMatch(/^HTTP\/1\.1 502 /)
    expect(text).toMatch(
      /"code":"target_unreachable","message":"psp record: Connection refused: nothing listens on 127/,
    )
    expect((await traffic.recorded(1))[0]?.error).toMatch(/^Connection refused/)
  })

  test('gets 502 with the cause if it does not speak TLS', async () => {
    const target = await rawServer((wire) => void wire.socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    const traffic = await recordTraffic(target.url.replace('http:', 'https:'))
    cleanups.push(traffic.stop, target.close)
    const client = await traffic.open('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    expect(await client.until('}}')).toMatch(/502 .*"target_unreachable".*TLS with .* failed/s)
  })

  test('gets 502 with the cause if its response is not HTTP', async () => {
    const traffic = await behindProxy((wire) => void wire.socket.end('220 mail.example ESMTP\r\n'))
    const client = await traffic.open('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    expect(await client.until('}}')).toMatch(/502 .*"target_failed".*is not HTTP/s)
  })

  const OWN_ADDRESSES = [
    ['127.0.0.1', '127.0.0.1'],
    ['0.0.0.0', '127.0.0.1'],
    ...(process.platform === 'linux' ? [['0.0.0.0', '127.0.0.2']] : []),
  ] as [string, string][]

  test.each(OWN_ADDRESSES)('gets 502 if it is the proxy itself, which listens on %s, at %s', async (host, address) => {
    const { url, close } = await rawServer(() => {})
    close()
    const { port } = new URL(url)
    const traffic = await recordTraffic(`http://${address}:${port}`, 10, Number(port), host)
    cleanups.push(traffic.stop)
    const client = await traffic.open('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    expect(await client.until('}}')).toMatch(/502 .*"target_is_proxy".*is `psp record` itself/s)
    expect(traffic.exchanges.length).toBeLessThan(3)
  })

  test('gets 405 for CONNECT, with a message that names the right use', async () => {
    const traffic = await behindProxy(() => {})
    const client = await traffic.open('CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n')
    expect((await client.closed()).text).toMatch(/^HTTP\/1\.1 405 .*opens no tunnels/s)
  })
})

test.each([
  ['127.0.0.1', '127.0.0.1', true],
  ['127.0.0.1', '127.0.0.2', false],
  ['0.0.0.0', '127.0.0.2', true],
  ['0.0.0.0', '10.0.0.7', true],
  ['0.0.0.0', '10.0.0.8', false],
  ['0.0.0.0', 'fd00::7', false],
  ['::', '::ffff:127.0.0.2', true],
  ['::', '::ffff:10.0.0.7', true],
  ['::', 'fd00::7', true],
  ['10.0.0.7', '10.0.0.7', true],
  ['10.0.0.7', '127.0.0.1', false],
])('a connection from a proxy at %s to %s leads to the proxy itself: %s', (own, remoteAddress, isItself) => {
  const interfaces = { eth0: [{ address: '10.0.0.7' }, { address: 'fd00::7' }] } as never
  expect(isProxyItself({ remoteAddress, remotePort: 7771 }, { address: own, port: 7771 }, interfaces)).toBe(isItself)
  expect(isProxyItself({ remoteAddress, remotePort: 7772 }, { address: own, port: 7771 }, interfaces)).toBe(false)
})

test('a connection to the service that is not established in time is reported as unreachable', () => {
  const error = new ConnectTimeoutError('No connection.')
  expect(error.name).toBe('ConnectTimeoutError')
  expect(describeForwardingError(error, 'http://psp.test', 'connecting')).toEqual({
    code: 'target_unreachable',
    message: 'No connection to psp.test: it did not respond. Check the address, the port and the firewall.',
  })
})
