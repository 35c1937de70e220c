import { expect, test } from 'vitest'
import { readCalls } from '../../src/recordings/compare/read-calls.ts'
import { memoryFile } from './memory-file.ts'

async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

const ID = '3f2a9c1e-0000-4000-8000-000000000001'

const entry = (path: string, json: object) => ({
  startedDateTime: '2026-05-06T12:00:00Z',
  time: 1,
  request: { method: 'GET', url: `https://api.example${path}`, headers: [{ name: 'Idempotency-Key', value: 'k-1' }] },
  response: { status: 200, content: { text: JSON.stringify(json) } },
})

test('a call is read from the file again when its body is used', async () => {
  const payment = { id: ID, status: 'pending', note: 'é'.repeat(10) }
  const entries = [entry('/other', {}), entry(`/v1/public/payments/${ID}`, payment), entry('/v1/public/banks/sbp', {})]
  const file = memoryFile()
  const { calls, others } = await readCalls(pieces(JSON.stringify({ log: { entries } })), 'a.har', file)
  expect([calls.length, others, file.reads]).toEqual([2, 1, 0])
  const [first, second] = calls
  const shows = { id: ID, type: 'payment', status: 'pending' }
  expect(first).toMatchObject({ number: 2, status: 200, key: 'k-1', objectId: ID, shows })
  expect(file.reads).toBe(0)
  expect(first?.response?.json).toEqual(payment)
  expect([first?.shows?.object, first?.path, file.reads]).toEqual([payment, `/v1/public/payments/${ID}`, 1])
  expect([second?.path, second?.response?.text]).toEqual(['/v1/public/banks/sbp', '{}'])
  expect(first?.response?.text).toBe(JSON.stringify(payment))
})
