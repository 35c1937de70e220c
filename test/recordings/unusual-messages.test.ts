// Messages that Node's own methods reject, drop or change. None of them may end the recorder.
import { afterEach, describe, expect, test } from 'vitest'
import { rawServer, recordTraffic, type Wire } from './wire.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

async function behindProxy(accept: (wire: Wire) => void | Promise<void>) {
  const target = await rawServer(accept)
  const traffic = await recordTraffic(target.url)
  cleanups.push(traffic.stop, target.close)
  return traffic
}

/** Starts a target that sends these bytes to each request. */
const responding = (bytes: string) =>
  behindProxy(async (wire) => {
    await wire.until('\r\n\r\n')
    wire.socket.write(bytes, 'latin1')
  })

const GET = 'GET /a HTTP/1.1\r\nHost: a\r\n\r\n'
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

describe('an informational response', () => {
  test.each([
    ['with two links in one field', '103 Early Hints\r\nLink: </a.css>; rel=preload, </b.js>; rel=preload'],
    ['with a space in a quoted title', '103 Early Hints\r\nLink: </a b.css>; rel="preload"; title="main style"'],
    ['with a link that has no format', '103 Early Hints\r\nX-A: 1\r\nLink: nonsense'],
    ['without a link', '103 Early Hints\r\nX-A: caf\xe9'],
    ['about the processing', '102 Processing'],
    ['of an unknown status', '150 Odd\r\nX-A: 1'],
    ['that permits a body, and that the client did not request', '100 Continue'],
  ])('%s reaches the client unchanged', async (_, head) => {
    const traffic = await responding(`HTTP/1.1 ${head}\r\n\r\n${OK}`)
    const client = await traffic.open(GET)
    expect(await client.until('ok')).toMatch(/^HTTP\/1\.1 \d+ .*HTTP\/1\.1 200 OK\r\n/s)
    expect(client.text().startsWith(`HTTP/1.1 ${head}\r\n\r\nHTTP/1.1 200`)).toBe(true)
  })

  test('to a pipelined request follows the response to the previous one', async () => {
    const traffic = await behindProxy(async (wire) => {
      await wire.until('/1 ')
      wire.socket.write(OK)
      await wire.until('/2 ')
      wire.socket.write(`HTTP/1.1 103 Early Hints\r\nX-A: 1\r\n\r\n${OK.replace('ok', 'it')}`)
    })
    const client = await traffic.open(GET.replace('/a', '/1') + GET.replace('/a', '/2'))
    expect(await client.until('it')).toMatch(/okHTTP\/1\.1 103 Early Hints\r\nX-A: 1\r\n\r\nHTTP\/1\.1 200 OK.*it$/s)
  })
})

describe('a response', () => {
  test.each([
    ['a status below 100', 'HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n', /a status below 100/],
    ['101 that was not requested', 'HTTP/1.1 101 Go\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n', /responded 101/],
  ])('with %s becomes 502 with the cause, and is not recorded as a response', async (_, bytes, message) => {
    const traffic = await responding(bytes)
    const client = await traffic.open(GET)
    expect(await client.until('}}')).toMatch(/^HTTP\/1\.1 502 .*"target_failed"/s)
    const [exchange] = await traffic.recorded(1)
    expect(exchange?.response).toBeUndefined()
    expect(exchange?.error).toMatch(message)
  })

  test('with a control character in its reason phrase is passed on with a space instead', async () => {
    const traffic = await responding('HTTP/1.1 200 a\x01b\tc\xe9\r\nContent-Length: 2\r\n\r\nok')
    const client = await traffic.open(GET)
    expect(await client.until('ok')).toMatch(/^HTTP\/1\.1 200 a b\tc\xe9\r\n/)
  })

  test('with 1,500 header fields is passed on with all of them', async () => {
    const fields = Array.from({ length: 1500 }, (_, at) => `X-${at}: 1\r\n`).join('')
    const traffic = await responding(OK.replace('\r\n\r\n', `\r\n${fields}\r\n`))
    const client = await traffic.open(GET)
    expect(await client.until('ok')).toContain('X-1499: 1\r\n')
  })

  test('204 with a body is passed on without the body', async () => {
    const traffic = await responding('HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\n{}')
    const client = await traffic.open(GET)
    expect(await client.until('\r\n\r\n')).toMatch(/^HTTP\/1\.1 204 No Content\r\n/)
    expect((await traffic.recorded(1))[0]).toMatchObject({ response: { status: 204 } })
  })

  test('with an invalid trailer is cut, and its header is delivered', async () => {
    const traffic = await responding(
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX T: 1\r\n\r\n',
    )
    const client = await traffic.open(GET)
    expect((await client.closed()).text).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  })

  test('with a second transfer coding keeps that coding in its header', async () => {
    const traffic = await responding('HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n')
    const client = await traffic.open(GET)
    expect(await client.until('0\r\n\r\n')).toMatch(/\r\nTransfer-Encoding: gzip, chunked\r\n/)
  })
})

describe('the recording proxy', () => {
  test('a method without a body gets no chunked body added', async () => {
    let seen = ''
    const traffic = await behindProxy(async (wire) => {
      seen = await wire.until('\r\n\r\n')
      wire.socket.write(OK)
    })
    const client = await traffic.open(GET.replace('GET', 'PROPFIND'))
    await client.until('ok')
    expect(seen).toMatch(/\r\nContent-Length: 0\r\n/)
    expect(seen).not.toMatch(/Transfer-Encoding/i)
  })

  test('a tunnel request with a reset connection does not end the recorder', async () => {
    const traffic = await responding(OK)
    const tunnel = await traffic.open('CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n')
    await tunnel.until('405')
    tunnel.socket.resetAndDestroy()
    const client = await traffic.open(GET)
    await client.until('ok')
  })

  test('a tunnel request with an open connection does not delay the end of the recording', async () => {
    const traffic = await responding(OK)
    const tunnel = await traffic.open()
    tunnel.socket.pause()
    tunnel.socket.write('CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n')
    const client = await traffic.open(GET)
    await client.until('ok')
    await traffic.stop()
    expect(traffic.exchanges).toHaveLength(1)
  })
})
