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
  const { calls, otherEntries } = await readCalls(pieces(JSON.stringify({ log: { entries } })), 'a.har', file)
  expect([calls.length, otherEntries, file.reads]).toEqual([2, 1, 0])
  const [first, second] = calls
  const shows = { id: ID, type: 'payment', status: 'pending' }
  expect(first).toMatchObject({ number: 2, status: 200, key: 'k-1', objectId: ID, shows })
  expect(file.reads).toBe(0)
  expect(first?.response?.json).toEqual(payment)
  expect([first?.shows?.object, first?.path, file.reads]).toEqual([payment, `/v1/public/payments/${ID}`, 1])
  expect([second?.path, second?.response?.text]).toEqual(['/v1/public/banks/sbp', '{}'])
  expect(first?.response?.text).toBe(JSON.stringify(payment))
})

const read = (...entries: object[]) => readCalls(pieces(JSON.stringify({ log: { entries } })), 'a.har', memoryFile())
const call = entry('/v1/public/banks/sbp', {})

test.each([
  ['', 0, 'the startedDateTime "", which is not a time before the year 9000'],
  ['9999999', 0, 'the startedDateTime "9999999", which is not a time before the year 9000'],
  ['+275760-09-13T00:00:00Z', 0, 'the startedDateTime "+275760-09-13T00:00:00Z", which is not a time'],
  ['2026-05-06T12:00:00Z', 1e15, 'the time 1000000000000000, which is not a time before the year 9000'],
  ['2026-05-06T12:00:00Z', null, 'a time that is not a number of ms'],
  ['2026-05-06T12:00:00Z', '5', 'a time that is not a number of ms'],
  ['2026-05-06T12:00:00Z', -5, 'a time that is not a number of ms: -5'],
])('a call that starts at %j and takes %j ms is refused with the number of its entry', async (at, time, field) => {
  await expect(read(call, { ...call, startedDateTime: at, time })).rejects.toThrow(`a.har: entry 2 has ${field}`)
})

test('a call at the zero time of Go is read, because some tools write it for an unknown time', async () => {
  expect((await read({ ...call, startedDateTime: '0001-01-01T00:00:00Z' })).calls).toHaveLength(1)
})

test('an entry of another service may have any time', async () => {
  expect(await read(call, { ...entry('/other', {}), startedDateTime: 'x' })).toMatchObject({ otherEntries: 1 })
})

test.each([
  ['response.content.text', { response: { status: 200, content: { text: 12 } } }],
  ['response.content', { response: { status: 200, content: 'x' } }],
  ['response.status', { response: { status: '200' } }],
  ['request.postData.text', { request: { ...call.request, postData: { text: { a: 1 } } } }],
  ['response', { response: [] }],
])('a %s of another type is refused and not ignored', async (field, change) => {
  await expect(read({ ...call, ...change })).rejects.toThrow(
    `a.har: entry 1 is not an HTTP exchange: ${field} has the wrong type.`,
  )
})

test('a field that is null is read as an absent one', async () => {
  const { calls } = await read({ ...call, response: { status: 200, content: { text: null, encoding: null } } })
  expect(calls[0]?.response).toMatchObject({ status: 200, json: undefined })
  expect((await read({ ...call, response: null })).calls[0]?.status).toBe(0)
})

test('a response without text has an empty text only if its size is 0', async () => {
  const textOf = async (content: object) => {
    const { calls } = await read({ ...call, response: { status: 200, content } })
    return calls[0]?.response?.text
  }
  expect([await textOf({ size: 0 }), await textOf({ size: 2 }), await textOf({})]).toEqual(['', undefined, undefined])
})

test('nested values outside the entries are reported by their place', async () => {
  const text = `{"log":{"entries":[${JSON.stringify(call)}],"x":${'['.repeat(200_000)}${']'.repeat(200_000)}}}`
  await expect(readCalls(pieces(text), 'a.har', memoryFile())).rejects.toThrow(
    'a.har has values after entry 1 that are nested too deeply.',
  )
})
