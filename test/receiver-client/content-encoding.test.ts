// Bodies with a Content-Encoding: decoded within the limit, or as received with a note.
import type { ServerResponse } from 'node:http'
import zlib from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { fetchTransport } from '../../src/receiver-client/fetch-transport.ts'
import { createTransport } from '../../src/receiver-client/undici-transport.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'
import { receiver } from '../delivery/receiver.ts'

const TEXT = '{"error":"нет такого заказа"}'
const KEPT = 64 * 1024

const outgoing = (url: string) => ({
  url,
  headers: [['Content-Type', 'application/json']] as const,
  body: Buffer.from('{}'),
  deadline_ms: 20_000,
})

async function sent(respond: (response: ServerResponse) => void) {
  const to = await receiver(respond)
  const transport = createTransport(createSystemClock())
  onTestFinished(() => transport.close())
  return await transport.send(outgoing(to.url))
}

const encoded = (encoding: string | string[], body: Uint8Array, status = 200) =>
  sent((response) => void response.writeHead(status, { 'Content-Encoding': encoding }).end(body))

const { gzipSync, deflateSync, deflateRawSync, brotliCompressSync } = zlib

test.each([
  ['gzip', gzipSync(TEXT)],
  ['x-gzip', gzipSync(TEXT)],
  ['GZip', gzipSync(TEXT)],
  ['br', brotliCompressSync(TEXT)],
  ['deflate', deflateSync(TEXT)],
  ['deflate', deflateRawSync(TEXT)],
  ['identity', Buffer.from(TEXT)],
  ['gzip, br', brotliCompressSync(gzipSync(TEXT))],
  ['deflate, identity, gzip', gzipSync(deflateSync(TEXT))],
])('a body with Content-Encoding %s is decoded', async (encoding, body) => {
  const answer = await encoded(encoding, body, 422)
  expect(answer).toMatchObject({ status: 422, body: { text: TEXT } })
  expect(answer.body).toEqual({ text: TEXT })
  expect(answer.headers).toContainEqual(['Content-Encoding', encoding])
})

test('encodings in two header lines are undone in reverse order', async () => {
  expect((await encoded(['gzip', 'br'], brotliCompressSync(gzipSync(TEXT)))).body).toEqual({ text: TEXT })
})

const zstdCompressSync = (zlib as { zstdCompressSync?: (text: string) => Buffer }).zstdCompressSync

test.skipIf(zstdCompressSync === undefined)(
  'a body with Content-Encoding zstd is decoded (skipped if Node has no zstd)',
  async () => {
    expect((await encoded('zstd', zstdCompressSync?.(TEXT) ?? Buffer.alloc(0))).body).toEqual({ text: TEXT })
  },
)

test.skipIf(zstdCompressSync !== undefined)(
  'a body with Content-Encoding zstd has a note (skipped if Node has zstd)',
  async () => {
    expect((await encoded('zstd', Buffer.from('abc'))).body).toEqual({
      text: 'abc',
      note: 'The body is shown as received: this Node.js cannot decode zstd.',
    })
  },
)

test.each([
  ['gzip', Buffer.from('plain text'), 'text', 'it is not valid gzip (incorrect header check)'],
  ['gzip', gzipSync(TEXT).subarray(0, 30), 'b64', 'it is not valid gzip (unexpected end of file)'],
  ['br', Buffer.from('plain text'), 'text', 'it is not valid br ('],
  ['deflate', Buffer.from('plain text'), 'text', 'it is not valid deflate ('],
  ['gzip, br', brotliCompressSync(Buffer.from('plain text')), 'b64', 'it is not valid gzip ('],
  ['compress', Buffer.from('plain text'), 'text', 'psp cannot decode compress.'],
  ['gzip, gzip, gzip, gzip, gzip, gzip', Buffer.from('x'), 'text', 'psp decodes at most 5 encodings.'],
])('a body with Content-Encoding %s that cannot be decoded is kept as received', async (encoding, body, as, why) => {
  const answer = await encoded(encoding, body)
  expect(answer.error).toBeUndefined()
  expect(answer.status).toBe(200)
  expect(answer.body?.[as as 'text' | 'b64']).toBe(body.toString(as === 'text' ? 'utf8' : 'base64'))
  expect(answer.body?.note).toMatch(/^The body is shown as received: /)
  expect(answer.body?.note).toContain(why)
})

test('an empty body has no note', async () => {
  const answer = await encoded('gzip', Buffer.alloc(0))
  expect(answer.body).toBeUndefined()
})

const quickBrotli = (bytes: Uint8Array) =>
  brotliCompressSync(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } })

test.each([
  ['gzip', gzipSync],
  ['br', quickBrotli],
  ['deflate', deflateSync],
])('64 KiB of a %s bomb are kept', async (encoding, compress) => {
  const { body } = await encoded(encoding, compress(Buffer.alloc(64 * 1024 * 1024, 'x')))
  expect(body?.truncated).toBe(true)
  expect(body?.text === 'x'.repeat(KEPT)).toBe(true)
})

test('a bomb within a bomb is cut', async () => {
  const inner = gzipSync(Buffer.alloc(64 * 1024 * 1024))
  const { body } = await encoded('gzip, gzip, gzip', gzipSync(gzipSync(Buffer.concat([inner, inner, inner]))))
  expect(body?.truncated).toBe(true)
  expect(body?.text).toHaveLength(KEPT)
})

test('the beginning of a long encoded body is decoded', async () => {
  const long = Array.from({ length: 60_000 }, (_, n) => `${(n * 7919) % 65_521} `).join('')
  const compressed = gzipSync(long)
  expect(compressed.length).toBeGreaterThan(KEPT)
  const { body } = await encoded('gzip', compressed)
  expect(body?.truncated).toBe(true)
  expect(body?.note).toBeUndefined()
  expect(long.startsWith(body?.text ?? 'missing')).toBe(true)
  expect(body?.text).toHaveLength(KEPT)
})

test('the received part of an encoded body is decoded if the connection closes', async () => {
  const compressed = gzipSync(TEXT)
  const answer = await sent((response) => {
    response.writeHead(500, { 'Content-Encoding': 'gzip', 'Content-Length': 5000 })
    response.write(compressed, () => response.socket?.resetAndDestroy())
  })
  expect(answer.body).toEqual({ text: TEXT })
  expect(answer.error).toContain('in the middle of its response')
})

test('a fetch function that cannot decode the body leaves its status', async () => {
  const to = await receiver((response) => void response.writeHead(200, { 'Content-Encoding': 'gzip' }).end('plain'))
  const answer = await fetchTransport(fetch, createSystemClock())(outgoing(to.url))
  expect(answer.error).toBeUndefined()
  expect(answer).toMatchObject({
    status: 200,
    body: { text: '', note: 'The body is missing: it is not valid gzip (incorrect header check).' },
  })
})
