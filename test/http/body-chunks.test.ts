// The body of an import, which is read in chunks and has a limit.
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import type { Exchange } from '../../src/http/app-env.ts'
import { bodyChunks } from '../../src/http/read-body.ts'
import { manualSystemClock } from '../time/manual-system-clock.ts'

/** Returns the sizes of the chunks that were read, and the code of the error. */
async function read(exchange: unknown, limit: number): Promise<[sizes: number[], code: string | undefined]> {
  const sizes: number[] = []
  try {
    for await (const chunk of bodyChunks(exchange as Exchange, manualSystemClock(), limit)) sizes.push(chunk.byteLength)
    return [sizes, undefined]
  } catch (error) {
    return [sizes, (error as { code?: string }).code]
  }
}

function* endless(): Generator<Buffer> {
  for (;;) yield Buffer.alloc(10)
}

const incoming = (body: Iterable<Buffer>, headers: object) => ({
  env: { incoming: Object.assign(Readable.from(body, { objectMode: false }), { headers }) },
})
const CHUNKED = { 'transfer-encoding': 'chunked' }

test('an endless body is rejected when it exceeds the limit', async () => {
  expect(await read(incoming(endless(), CHUNKED), 25)).toEqual([[10, 10], 'payload_too_large'])
  const request = new Request('http://x/', {
    method: 'PUT',
    body: Readable.toWeb(Readable.from(endless())) as ReadableStream,
    duplex: 'half',
  } as RequestInit)
  expect(await read({ req: { raw: request } }, 25)).toEqual([[10, 10], 'payload_too_large'])
})

test('a body that is as long as the limit is read to its end', async () => {
  const chunks = () => [Buffer.alloc(20), Buffer.alloc(5)]
  expect(await read(incoming(chunks(), CHUNKED), 25)).toEqual([[20, 5], undefined])
  expect(await read(incoming(chunks(), { 'content-length': '25' }), 25)).toEqual([[20, 5], undefined])
  expect(await read({ env: { body: 'x'.repeat(25) } }, 25)).toEqual([[25], undefined])
})

test('a body is rejected before its first byte if its length exceeds the limit', async () => {
  expect(await read(incoming(endless(), { 'content-length': '26' }), 25)).toEqual([[], 'payload_too_large'])
  expect(await read({ env: { body: 'x'.repeat(26) } }, 25)).toEqual([[], 'payload_too_large'])
})
