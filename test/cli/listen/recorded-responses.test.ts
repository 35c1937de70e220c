// The dispatcher and a listener record the same attempt for the same response. Commands show it decoded.
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { refusingPort } from '../../ports.ts'
import { startListener, startReceiver, startTestServer, waitUntil } from '../helpers.ts'

/** Starts a receiver that calls `respond` on each connection after the first bytes. */
async function startRawReceiver(respond: (socket: Socket) => void): Promise<number> {
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket.on('error', () => {}))
    socket.once('data', () => respond(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** Returns the attempts that the dispatcher and a listener recorded, one request each. */
async function recorded(port: number, settings: { readonly [name: string]: unknown } = {}) {
  const testServer = await startTestServer()
  onTestFinished(() => testServer.close())
  const { engine, defaultShop: start } = testServer.sandbox
  engine.execute('change_settings', { values: settings })
  const url = `http://127.0.0.1:${port}/hooks`
  engine.execute('create_endpoint', { shop_id: start().shop_id, input: { url } })
  const running = await startListener(testServer, '--forward', url, '--json')
  await testServer.psp('trigger payment.failed')
  const attempts = () =>
    [...engine.world.rows('deliveries')].map(({ endpoint_id = '', attempts: [attempt] }) => ({
      by: endpoint_id.startsWith('lst_') ? 'listener' : 'dispatcher',
      attempt,
    }))
  await waitUntil(() => attempts().length === 2 && attempts().every(({ attempt }) => attempt !== undefined))
  await waitUntil(() => running.output().includes('"attempt"'))
  running.signal('SIGINT')
  const { stdout } = await running.ended
  const of = (by: string) => {
    const { status, error, response_headers, response_body } =
      attempts().find((each) => each.by === by)?.attempt ?? expect.fail(by)
    return { status, error, response_headers, response_body }
  }
  const printed = stdout.split('\n').flatMap((line) => (line.includes('"type":"attempt"') ? [JSON.parse(line)] : []))
  return { dispatcher: of('dispatcher'), listener: of('listener'), printed: printed[0] }
}

const responding = (head: string, body: Buffer | string = '') => {
  const bytes = Buffer.concat([Buffer.from(`HTTP/1.1 ${head}\r\n\r\n`), Buffer.from(body)])
  return (socket: Socket) => void socket.end(bytes)
}
const withBody = (status: string, body: Buffer | string) =>
  responding(`${status}\r\nContent-Length: ${Buffer.byteLength(body)}`, body)

const GZIPPED = gzipSync('нет такого заказа')

/** The 65,536th byte is the first half of a character. */
const CUT_CHARACTER = `x${'я'.repeat(61_440)}`
const CHUNK_OF_64K = `10000\r\n${'x'.repeat(65_536)}\r\n`

test.each<[string, (socket: Socket) => void, object]>([
  ['a text', withBody('200 OK', 'ok'), { status: 200, response_body: { text: 'ok' } }],
  ['no body', responding('204 No Content'), { status: 204, response_body: undefined }],
  ['a 204 with a body', responding('204 No\r\nContent-Length: 2', 'ok'), { status: 204, error: undefined }],
  [
    'headers in their original case',
    responding('200 OK\r\nX-Two: 2\r\nx-ONE: caf\u00e9\r\nX-Two: 3\r\nContent-Length: 0'),
    { status: 200 },
  ],
  ['1,200 headers', responding(`200 OK${'\r\nA: 1'.repeat(1200)}\r\nContent-Length: 0`), { status: 200 }],
  ['a 200 with an invalid chunk', responding('200 OK\r\nTransfer-Encoding: chunked', 'xyz\r\n'), { error: undefined }],
  ['a redirect', responding('302 Found\r\nLocation: http://x/\r\nContent-Length: 0'), { status: 302 }],
  ['bytes', withBody('400 Bad', Buffer.from([0xff, 0, 0x80])), { status: 400, response_body: { b64: '/wCA' } }],
  [
    'a text cut inside a character',
    withBody('500 No', CUT_CHARACTER),
    { status: 500, response_body: { text: CUT_CHARACTER.slice(0, 32_768), truncated: true } },
  ],
  [
    'bytes that are cut',
    withBody('500 No', Buffer.alloc(100_000, 0xff)),
    { status: 500, response_body: { b64: Buffer.alloc(65_536, 0xff).toString('base64'), truncated: true } },
  ],
  [
    'a text of the stored limit',
    withBody('500 No', 'x'.repeat(65_536)),
    { response_body: { text: 'x'.repeat(65_536) } },
  ],
  [
    'a body in gzip',
    responding(`500 No\r\nContent-Encoding: gzip\r\nContent-Length: ${GZIPPED.length}`, GZIPPED),
    { status: 500, response_body: { text: 'нет такого заказа' } },
  ],
  [
    'a body that is not the gzip it claims to be',
    responding('500 No\r\nContent-Encoding: gzip\r\nContent-Length: 5', 'plain'),
    { response_body: { text: 'plain', note: expect.stringContaining('it is not valid gzip') } },
  ],
  [
    'headers of 60 KiB',
    responding(`500 No\r\nX-Trace: ${'x'.repeat(60 * 1024)}\r\nContent-Length: 0`),
    { status: 500, error: expect.stringContaining('500') },
  ],
  ['16,000 headers', responding(`500 No${'\r\nA:'.repeat(16_000)}\r\nContent-Length: 0`), { status: 500 }],
  [
    'an endless response',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
      // A failed write is reported before the socket is destroyed, so the loop must stop at the error.
      const more = () => socket.write(CHUNK_OF_64K, (error) => (error ? undefined : more()))
      more()
    },
    { status: 200, error: undefined, response_body: { truncated: true } },
  ],
  [
    'an incomplete body',
    responding('500 No\r\nContent-Length: 100', 'half'),
    { status: 500, error: expect.stringContaining('in the middle of its response'), response_body: { text: 'half' } },
  ],
  ['an invalid chunk', responding('500 No\r\nTransfer-Encoding: chunked', 'xyz\r\n'), { status: 500 }],
  [
    'a reset',
    (socket) => void socket.resetAndDestroy(),
    { status: undefined, error: expect.stringContaining('before it responded') },
  ],
  ['two lengths', responding('200 OK\r\nContent-Length: 2\r\nContent-Length: 2', 'ok'), { status: undefined }],
  [
    'bytes that are not HTTP',
    (socket) => void socket.end('hello\r\n\r\n'),
    { error: expect.stringContaining('not HTTP') },
  ],
  [
    'a 101',
    responding('101 Switching\r\nUpgrade: x\r\nConnection: Upgrade'),
    { error: expect.stringContaining('101') },
  ],
])('the dispatcher and a listener record %s alike', async (_, respond, expected) => {
  const { dispatcher, listener } = await recorded(await startRawReceiver(respond))
  expect(dispatcher).toMatchObject(expected)
  expect(listener).toEqual(dispatcher)
})

test('the dispatcher and a listener record a refused connection alike', async () => {
  const { dispatcher, listener } = await recorded(await refusingPort())
  expect(dispatcher.error).toContain('Connection refused')
  expect(listener).toEqual(dispatcher)
})

test('the dispatcher and a listener use the same deadline for a missing or endless response', async () => {
  // A busy machine also sends the request, and receives the beginning of a response, within this time.
  const settings = { webhook_timeout: '2s' }
  const [silent, begun] = await Promise.all([
    recorded(await startRawReceiver(() => {}), settings),
    recorded(
      await startRawReceiver((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf')),
      settings,
    ),
  ])
  expect(silent.dispatcher.error).toMatch(/^No response from .* within 2s/)
  expect(silent.listener).toEqual(silent.dispatcher)
  expect(begun.dispatcher).toMatchObject({ status: 200, response_body: { text: 'half' } })
  expect(begun.dispatcher.error).toContain('did not end within 2s')
  expect(begun.listener).toEqual(begun.dispatcher)
})

test('`listen --json` prints the decoded body, or the received one with a note', async () => {
  const gzip = (body: Buffer | string) =>
    responding(`500 No\r\nContent-Encoding: gzip\r\nContent-Length: ${Buffer.byteLength(body)}`, body)
  const { printed } = await recorded(await startRawReceiver(gzip(GZIPPED)))
  expect(printed).toMatchObject({ status: 500, response_body: 'нет такого заказа' })
  expect(printed).not.toHaveProperty('response_note')
  const { printed: broken } = await recorded(await startRawReceiver(gzip('plain')))
  expect(broken).toMatchObject({ response_body: 'plain', response_note: expect.stringContaining('not valid gzip') })
})

test('`listen --json` marks a truncated response, and prints binary bytes in base64', async () => {
  const bytes = Buffer.alloc(100_000, 0xff)
  const { printed } = await recorded(await startRawReceiver(withBody('500 No', bytes)))
  expect(printed).toMatchObject({ status: 500, error: null, response_truncated: true })
  expect(printed.response_body_b64).toBe(bytes.subarray(0, 65_536).toString('base64'))
})

async function shown(body: Buffer | string, ...flags: readonly string[]) {
  const testServer = await startTestServer()
  const app = await startReceiver()
  onTestFinished(async () => {
    await app.close()
    await testServer.close()
  })
  app.response = { status: 500, headers: { 'Content-Encoding': 'gzip' }, body }
  const running = await startListener(testServer, '--forward', `:${app.port}/hooks`, ...flags)
  await testServer.psp('trigger payment.failed')
  await waitUntil(() => running.output().includes('attempt 1 of 9, next'))
  running.signal('SIGINT')
  const { stdout } = await running.ended
  const [delivery] = [...testServer.sandbox.engine.world.rows('deliveries')]
  const get = await testServer.psp(`webhooks deliveries get ${delivery?.id}`)
  return { listen: stdout, get: get.stdout }
}

test.each([[[]], [['--show-body']]])('`listen %s` and `deliveries get` show a decoded body', async (flags) => {
  const { listen, get } = await shown(gzipSync('no such order: Ёж'), ...flags)
  expect(listen).toContain('no such order: Ёж')
  expect(get).toContain('no such order: Ёж')
  expect(get).toContain('content-encoding: gzip')
})

test.each([[[]], [['--show-body']]])(
  '`listen %s` and `deliveries get` show a broken encoding as received, with a note',
  async (flags) => {
    const { listen, get } = await shown('plain text', ...flags)
    for (const text of [listen, get]) {
      const flat = text.replace(/\s+/g, ' ')
      expect(flat).toContain('plain text')
      expect(flat).toContain('The body is shown as received: it is not valid gzip (incorrect header check).')
    }
  },
)
