import { expect, test } from 'vitest'
import { readCalls } from '../../src/recordings/compare/read-calls.ts'

async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

const entry = (path: string, text: string) => ({
  startedDateTime: '2026-05-06T12:00:00Z',
  time: 1,
  request: { method: 'GET', url: `https://api.example${path}` },
  response: { status: 200, content: { text } },
})

test('calls of the API are kept up to a limit, and the error names the entry that exceeds it', async () => {
  const other = entry('/other', 'x'.repeat(5000))
  const call = entry('/v1/public/payments', 'x'.repeat(1000))
  const har = (...entries: object[]) => pieces(JSON.stringify({ log: { entries } }))
  const read = await readCalls(har(other, call, call), 'a.har', 4000)
  expect([read.calls.length, read.others]).toEqual([2, 1])
  await expect(readCalls(har(other, call, call, call), 'a.har', 4000)).rejects.toThrow(
    'a.har is too long: the calls of the API up to entry 4 have more than',
  )
})
