import { getEventListeners, once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer as createTcp } from 'node:net'
import type { Dispatcher } from 'undici'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { exchange } from '../../src/receiver-client/exchange.ts'
import { fetchTransport } from '../../src/receiver-client/fetch-transport.ts'
import { MAX_STORED_BYTES } from '../../src/receiver-client/response-body.ts'
import type { ReceiverRequest } from '../../src/receiver-client/transport.ts'
import { createTransport } from '../../src/receiver-client/undici-transport.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'
import { turns } from '../delivery/fixtures.ts'
import { receiver } from '../delivery/receiver.ts'
import { refusingPort } from '../ports.ts'
import { manualSystemClock } from '../time/manual-system-clock.ts'

const systemClock = createSystemClock()

function transport() {
  const undici = createTransport(systemClock)
  onTestFinished(() => undici.close())
  return undici.send
}

const outgoing = (url: string, more: Partial<ReceiverRequest> = {}): ReceiverRequest => ({
  url,
  headers: [
    ['Content-Type', 'application/json'],
    ['X-PSP-Event-Id', 'evt_1'],
  ],
  body: Buffer.from('{"name":"Чай, 1 500 ₽"}'),
  deadline_ms: 5000,
  ...more,
})

/** A receiver on the first of these ports that is free. */
async function onOneOf(ports: readonly number[]) {
  for (const port of ports) {
    const opened = await receiver(undefined, '127.0.0.1', port).catch(() => undefined)
    if (opened !== undefined) return opened
  }
  throw new Error(`Each of the ports ${ports.join(', ')} is taken.`)
}

describe('a request', () => {
  test('consists of the given bytes, with only the headers that HTTP needs', async () => {
    const to = await receiver()
    const answer = await transport()(outgoing(`${to.url}?a=1&b=%20`))
    expect(answer).toMatchObject({ status: 200, body: { text: 'ok' } })
    const [request] = to.received
    expect(request?.method).toBe('POST')
    expect(request?.path).toBe('/hooks?a=1&b=%20')
    expect(request?.body).toEqual(Buffer.from('{"name":"Чай, 1 500 ₽"}'))
    const names = request?.raw.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase())
    expect(names?.sort()).toEqual(['connection', 'content-length', 'content-type', 'host', 'x-psp-event-id'])
    expect(request?.raw).toContain('X-PSP-Event-Id')
    expect(request?.headers['content-length']).toBe(String(Buffer.byteLength('{"name":"Чай, 1 500 ₽"}')))
  })

  test('can use ports that browsers block', async () => {
    const { url } = await onOneOf([6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080])
    expect(await transport()(outgoing(url))).toMatchObject({ status: 200 })
    await expect(fetch(url)).rejects.toThrow()
  })

  test('reaches a server of either address family at localhost', async () => {
    const send = transport()
    const four = await receiver()
    expect(await send(outgoing(`http://localhost:${four.port}/`))).toMatchObject({ status: 200 })
    const six = await receiver(undefined, '::1', await refusingPort()).catch(() => undefined)
    if (six !== undefined) expect(await send(outgoing(`http://localhost:${six.port}/`))).toMatchObject({ status: 200 })
  })
})

describe('a response', () => {
  test('is not followed if it is a redirect', async () => {
    const other = await receiver()
    const to = await receiver((response) => void response.writeHead(307, { Location: other.url }).end())
    const answer = await transport()(outgoing(to.url))
    expect(answer.status).toBe(307)
    expect(answer.headers).toContainEqual(['Location', other.url])
    expect(other.received).toEqual([])
  })

  test('keeps the spelling and order of its headers', async () => {
    const to = await receiver(
      (response) => void response.writeHead(200, ['X-Two', '2', 'x-ONE', '1', 'X-Two', '3']).end(),
    )
    const { headers } = await transport()(outgoing(to.url))
    expect(headers?.slice(0, 3)).toEqual([
      ['X-Two', '2'],
      ['x-ONE', '1'],
      ['X-Two', '3'],
    ])
  })

  test('is stored up to 64 KiB, and the rest is read and dropped', async () => {
    const to = await receiver((response) => void response.end('я'.repeat(100_000)))
    const answer = await transport()(outgoing(to.url))
    expect(answer.error).toBeUndefined()
    expect(answer.body?.truncated).toBe(true)
    expect(answer.body?.text === 'я'.repeat(32 * 1024)).toBe(true)
  })

  test('is cut off and counts if it does not end', async () => {
    let gone = () => {}
    const over = new Promise<void>((resolve) => {
      gone = resolve
    })
    const to = await receiver((response) => {
      const more = () => response.write(Buffer.alloc(64 * 1024, 'x'), (error) => (error ? undefined : more()))
      response.on('close', gone)
      more()
    })
    const answer = await transport()(outgoing(to.url))
    expect(answer).toMatchObject({ status: 200, body: { truncated: true } })
    expect(answer.error).toBeUndefined()
    await over
  })

  test('is stored as base64 if it is not UTF-8', async () => {
    const to = await receiver((response) => void response.end(Buffer.from([0xff, 0x00, 0x80])))
    expect((await transport()(outgoing(to.url))).body).toEqual({ b64: '/wCA' })
  })
})

describe('the message of a failure', () => {
  test('names the addresses and a fix if the connection is refused', async () => {
    const port = await refusingPort()
    const { error, status } = await transport()(outgoing(`http://localhost:${port}/`))
    expect(status).toBeUndefined()
    expect(error).toContain(`127.0.0.1:${port}`)
    expect(error).toContain('Is your server running?')
  })

  test('reports a connection that closes before the response', async () => {
    const to = await receiver((response) => void response.socket?.resetAndDestroy())
    const { error } = await transport()(outgoing(to.url))
    expect(error).toBe(
      `127.0.0.1:${to.port} closed the connection before it responded. See its log. If it supports only HTTP/2, accept HTTP/1.1.`,
    )
  })

  test('reports a connection that closes in the middle of the response', async () => {
    const to = await receiver((response) => {
      response.writeHead(200, { 'Content-Length': 1000 })
      response.write('half', () => response.socket?.resetAndDestroy())
    })
    const answer = await transport()(outgoing(to.url))
    expect(answer).toMatchObject({ status: 200, body: { text: 'half' } })
    expect(answer.error).toBe(`127.0.0.1:${to.port} closed the connection in the middle of its response. See its log.`)
  })

  test('reports a missing response at the deadline', async () => {
    let gone = () => {}
    const closed = new Promise<void>((resolve) => {
      gone = resolve
    })
    const to = await receiver((response) => void response.on('close', gone))
    const { error } = await transport()(outgoing(to.url, { deadline_ms: 1000 }))
    expect(error).toMatch(/^No response from 127\.0\.0\.1:\d+ within 1s\./)
    await closed
  })

  test('reports a request that waited for a connection until the deadline and is not sent', async () => {
    let handler: Dispatcher.DispatchHandler = {}
    const dispatch: Dispatcher['dispatch'] = (_, given) => {
      handler = given
      return true
    }
    const answer = await exchange(
      { kept: { dispatch }, fresh: () => ({ dispatch }) },
      systemClock,
      outgoing('http://127.0.0.1:9/', { deadline_ms: 5 }),
    )
    expect(answer.error).toBe('No connection to 127.0.0.1:9 within 5ms. Check the address, the port and the firewall.')
    const abort = vi.fn()
    handler.onRequestStart?.({ abort } as unknown as Dispatcher.DispatchController, {})
    expect(abort).toHaveBeenCalledOnce()
  })

  test('reports a slow response at the same deadline', async () => {
    const to = await receiver((response) => {
      response.write('a')
    })
    const answer = await transport()(outgoing(to.url, { deadline_ms: 1000 }))
    expect(answer).toMatchObject({ status: 200, body: { text: 'a' } })
    expect(answer.error).toMatch(/did not end within 1s/)
  })

  test('reports a receiver that does not read', async () => {
    const server = createTcp((socket) => void socket.pause().on('error', () => {}))
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const body = Buffer.alloc(8 * 1024 * 1024, 'x')
    const { error } = await transport()(outgoing(`http://127.0.0.1:${port}/`, { body, deadline_ms: 80 }))
    expect(error).toMatch(/within 80ms/)
  })

  test('reports an unknown name, an invalid URL and a response that is not HTTP', async () => {
    const send = transport()
    expect((await send(outgoing('http://nobody.invalid/'))).error).toMatch(/nobody\.invalid/)
    expect((await send(outgoing('not a url'))).error).toMatch(/not valid/)
    const server = createTcp((socket) => void socket.on('error', () => {}).end('hello\r\n\r\n'))
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    expect((await send(outgoing(`http://127.0.0.1:${port}/`))).error).toMatch(/not HTTP/)
  })

  test('reports TLS to a server that speaks plain HTTP', async () => {
    const to = await receiver()
    const { error } = await transport()(outgoing(`https://127.0.0.1:${to.port}/`))
    expect(error).toMatch(/TLS .*http:\/\//)
  })
})

test('the transport closes its connections even if fake timers hold queueMicrotask back', async () => {
  const cut: Promise<unknown>[] = []
  const to = await receiver((response, _, incoming) => {
    cut.push(once(incoming.socket, 'close'))
    response.end('ok')
  })
  const undici = createTransport(systemClock)
  await undici.send(outgoing(to.url))
  vi.stubGlobal('queueMicrotask', () => {})
  onTestFinished(() => void vi.unstubAllGlobals())
  await undici.close()
  vi.unstubAllGlobals()
  expect(cut).toHaveLength(1)
  await Promise.all(cut)
})

describe('over a fetch function', () => {
  test('redirects are not followed and bodies are bounded', async () => {
    const to = await receiver((response) => void response.writeHead(302, { Location: '/x' }).end('я'.repeat(50_000)))
    const answer = await fetchTransport(fetch, systemClock)(outgoing(to.url))
    expect(answer).toMatchObject({ status: 302, body: { truncated: true } })
    expect(to.received).toHaveLength(1)
    expect(to.received[0]?.body).toEqual(outgoing('').body)
  })

  test('a body in another charset that is cut keeps its last byte', async () => {
    const bytes = Buffer.concat([Buffer.alloc(MAX_STORED_BYTES - 1, 'a'), Buffer.from([0xe9, 0xe9])])
    const headers = { 'Content-Type': 'text/plain; charset=iso-8859-1' }
    const send = fetchTransport(async () => new Response(bytes, { headers }), systemClock)
    const { body } = await send(outgoing('http://shop.test/'))
    expect(body).toEqual({ b64: bytes.subarray(0, -1).toString('base64'), truncated: true })
  })

  test('failures and the deadline have messages', async () => {
    const send = fetchTransport(fetch, systemClock)
    expect((await send(outgoing(`http://127.0.0.1:${await refusingPort()}/`))).error).toMatch(/refused/)
    const to = await receiver(() => {})
    expect(await send(outgoing(to.url, { deadline_ms: 60 }))).toEqual({
      error: `No response from 127.0.0.1:${to.port} within 60ms. Respond first, then do the slow work.`,
      late: true,
    })
  })

  test('a response without a body has its status and its headers only', async () => {
    const send = fetchTransport(async () => new Response(null, { status: 204, headers: { 'X-A': 'b' } }), systemClock)
    expect(await send(outgoing('http://shop.test/'))).toStrictEqual({ status: 204, headers: [['x-a', 'b']] })
  })

  test('a connection that closes in the middle of the response is reported with the status', async () => {
    const to = await receiver((response) => {
      response.sendDate = false
      response.writeHead(200, { 'Content-Length': 1000, Connection: 'close' })
      response.write('half', () => response.socket?.resetAndDestroy())
    })
    expect(await fetchTransport(fetch, systemClock)(outgoing(to.url))).toEqual({
      status: 200,
      headers: [
        ['connection', 'close'],
        ['content-length', '1000'],
      ],
      error: `127.0.0.1:${to.port} closed the connection in the middle of its response. See its log.`,
    })
  })

  test('a body without end is read up to 1 MiB and then cancelled', async () => {
    const cancelled = vi.fn()
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(Buffer.alloc(512 * 1024, 'x')),
      cancel: () => cancelled(),
    })
    const send = fetchTransport(async () => new Response(endless), systemClock)
    expect(await send(outgoing('http://shop.test/'))).toEqual({
      status: 200,
      headers: [],
      body: { text: 'x'.repeat(64 * 1024), truncated: true },
    })
    expect(cancelled).toHaveBeenCalledOnce()
  })
})

describe('after a request', () => {
  const unreachable = async () => `http://127.0.0.1:${await refusingPort()}/`
  const reachable = async () => (await receiver()).url

  test.each([
    ['undici', 'a response', reachable],
    ['undici', 'a failure', unreachable],
    ['fetch', 'a response', reachable],
    ['fetch', 'a failure', unreachable],
  ])('the transport over %s leaves no timer and no listener behind after %s', async (name, _, urlOf) => {
    const manual = manualSystemClock()
    const closing = new AbortController().signal
    const send = name === 'fetch' ? fetchTransport(fetch, manual, closing) : createTransport(manual).send
    await send(outgoing(await urlOf()))
    await turns()
    expect([manual.waiting(), getEventListeners(closing, 'abort')]).toEqual([0, []])
  })

  test.each(['before', 'during'])('a transport that is closed %s a request aborts it', async (when) => {
    const closing = new AbortController()
    const to = await receiver(() => {})
    const send = fetchTransport(fetch, systemClock, closing.signal)
    if (when === 'before') closing.abort(new Error('closed'))
    const sent = send(outgoing(to.url))
    if (when === 'during') {
      await to.got(1)
      closing.abort(new Error('closed'))
    }
    expect((await sent).error).toMatch(/closed/)
  })
})
