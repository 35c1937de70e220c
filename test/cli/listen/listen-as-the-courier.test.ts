// What a receiver answers is recorded alike, whether the server sent the webhook itself or a listener forwarded it.
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { deadPort } from '../../delivery/receiver.ts'
import { startListener, startTestServer, waitUntil } from '../helpers.ts'

/** A receiver that does `answer` on each connection once a request began to come. */
async function place(answer: (socket: Socket) => void): Promise<number> {
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket.on('error', () => {}))
    socket.once('data', () => answer(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** The attempts that the courier and a listener recorded of this receiver, which each of them asks once. */
async function recorded(port: number, settings: { readonly [name: string]: unknown } = {}) {
  const rig = await startTestServer()
  onTestFinished(() => rig.close())
  const { engine, startShop: start } = rig.sandbox
  engine.execute('change_settings', { values: settings })
  const url = `http://127.0.0.1:${port}/hooks`
  engine.execute('create_endpoint', { shop_id: start().shop_id, input: { url } })
  const running = await startListener(rig, '--forward', url, '--json')
  await rig.psp('trigger payment.failed')
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
  const told = stdout.split('\n').flatMap((line) => (line.includes('"type":"attempt"') ? [JSON.parse(line)] : []))
  return { dispatcher: of('dispatcher'), listener: of('listener'), told: told[0] }
}

const answering = (head: string, body: Buffer | string = '') => {
  const bytes = Buffer.concat([Buffer.from(`HTTP/1.1 ${head}\r\n\r\n`), Buffer.from(body)])
  return (socket: Socket) => void socket.end(bytes)
}
const withBody = (status: string, body: Buffer | string) =>
  answering(`${status}\r\nContent-Length: ${Buffer.byteLength(body)}`, body)

const GZIPPED = gzipSync('нет такого заказа')

/** The 65,536th byte is the first half of a character. */
const CUT_CHARACTER = `x${'я'.repeat(61_440)}`
const CHUNK_OF_64K = `10000\r\n${'x'.repeat(65_536)}\r\n`

test.each<[string, (socket: Socket) => void, object]>([
  ['a text', withBody('200 OK', 'ok'), { status: 200, response_body: { text: 'ok' } }],
  ['no body', answering('204 No Content'), { status: 204, response_body: undefined }],
  ['a 204 with a body', answering('204 No\r\nContent-Length: 2', 'ok'), { status: 204, error: undefined }],
  [
    'headers as they were spelt',
    answering('200 OK\r\nX-Two: 2\r\nx-ONE: caf\u00e9\r\nX-Two: 3\r\nContent-Length: 0'),
    { status: 200 },
  ],
  ['1,200 headers', answering(`200 OK${'\r\nA: 1'.repeat(1200)}\r\nContent-Length: 0`), { status: 200 }],
  [
    'a 200 with a chunk that is none',
    answering('200 OK\r\nTransfer-Encoding: chunked', 'xyz\r\n'),
    { error: undefined },
  ],
  ['a redirect', answering('302 Found\r\nLocation: http://x/\r\nContent-Length: 0'), { status: 302 }],
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
    'a text of just what is kept',
    withBody('500 No', 'x'.repeat(65_536)),
    { response_body: { text: 'x'.repeat(65_536) } },
  ],
  [
    'a body in gzip',
    answering(`500 No\r\nContent-Encoding: gzip\r\nContent-Length: ${GZIPPED.length}`, GZIPPED),
    { status: 500, response_body: { text: 'нет такого заказа' } },
  ],
  [
    'a body that is not the gzip it claims to be',
    answering('500 No\r\nContent-Encoding: gzip\r\nContent-Length: 5', 'plain'),
    { response_body: { text: 'plain', note: expect.stringContaining('it is not valid gzip') } },
  ],
  [
    'headers of 60 KiB',
    answering(`500 No\r\nX-Trace: ${'x'.repeat(60 * 1024)}\r\nContent-Length: 0`),
    { status: 500, error: expect.stringContaining('500') },
  ],
  ['16,000 headers', answering(`500 No${'\r\nA:'.repeat(16_000)}\r\nContent-Length: 0`), { status: 500 }],
  [
    'an answer without end',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
      // A refused write is told before the socket counts as destroyed: whoever writes again then never comes to an end.
      const more = () => socket.write(CHUNK_OF_64K, (error) => (error ? undefined : more()))
      more()
    },
    { status: 200, error: undefined, response_body: { truncated: true } },
  ],
  [
    'a body that breaks off',
    answering('500 No\r\nContent-Length: 100', 'half'),
    { status: 500, error: expect.stringContaining('in the middle of its response'), response_body: { text: 'half' } },
  ],
  ['a chunk that is none', answering('500 No\r\nTransfer-Encoding: chunked', 'xyz\r\n'), { status: 500 }],
  [
    'a reset',
    (socket) => void socket.resetAndDestroy(),
    { status: undefined, error: expect.stringContaining('before it responded') },
  ],
  ['two lengths', answering('200 OK\r\nContent-Length: 2\r\nContent-Length: 2', 'ok'), { status: undefined }],
  ['what is not HTTP', (socket) => void socket.end('hello\r\n\r\n'), { error: expect.stringContaining('not HTTP') }],
  ['a 101', answering('101 Switching\r\nUpgrade: x\r\nConnection: Upgrade'), { error: expect.stringContaining('101') }],
])('%s', async (_, answer, expected) => {
  const { dispatcher, listener } = await recorded(await place(answer))
  expect(dispatcher).toMatchObject(expected)
  expect(listener).toEqual(dispatcher)
})

test('nobody there', async () => {
  const { dispatcher, listener } = await recorded(await deadPort())
  expect(dispatcher.error).toContain('Connection refused')
  expect(listener).toEqual(dispatcher)
})

test('no answer, and one that does not end, by the same deadline', async () => {
  const settings = { webhook_timeout: '300ms' }
  const silent = await recorded(await place(() => {}), settings)
  expect(silent.dispatcher.error).toContain('within 300ms')
  expect(silent.listener).toEqual(silent.dispatcher)
  const begun = await recorded(
    await place((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf')),
    settings,
  )
  expect(begun.dispatcher).toMatchObject({ status: 200, response_body: { text: 'half' } })
  expect(begun.dispatcher.error).toContain('did not end within 300ms')
  expect(begun.listener).toEqual(begun.dispatcher)
})

test('`listen --json` prints the decoded body, or the received one with a note', async () => {
  const gzip = (body: Buffer | string) =>
    answering(`500 No\r\nContent-Encoding: gzip\r\nContent-Length: ${Buffer.byteLength(body)}`, body)
  const { told } = await recorded(await place(gzip(GZIPPED)))
  expect(told).toMatchObject({ status: 500, response_body: 'нет такого заказа' })
  expect(told).not.toHaveProperty('response_note')
  const { told: broken } = await recorded(await place(gzip('plain')))
  expect(broken).toMatchObject({ response_body: 'plain', response_note: expect.stringContaining('not valid gzip') })
})

test('--json tells of an answer that is cut, and gives the bytes of one that is no text', async () => {
  const bytes = Buffer.alloc(100_000, 0xff)
  const { told } = await recorded(await place(withBody('500 No', bytes)))
  expect(told).toMatchObject({ status: 500, error: null, response_truncated: true })
  expect(told.response_body_b64).toBe(bytes.subarray(0, 65_536).toString('base64'))
})
