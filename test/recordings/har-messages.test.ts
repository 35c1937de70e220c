import { expect, test } from 'vitest'
import { harMessages } from '../../src/recordings/har-messages.ts'

/** Reads a HAR file with these requests. */
async function messagesOf(...entries: readonly object[]) {
  async function* pieces() {
    yield Buffer.from(JSON.stringify({ log: { version: '1.2', entries } }))
  }
  const messages: object[] = []
  const onInvalid = (error: Error) => {
    throw error
  }
  for await (const message of harMessages(pieces(), 'a.har', onInvalid)) messages.push(message)
  return messages
}

const HOOK = { method: 'POST', url: 'https://shop.example/hooks' }
const ABOUT = 'POST https://shop.example/hooks'

test('a request of a HAR file has its body, headers, time and recorded signature check', async () => {
  const headers = [
    { name: 'X-A', value: '1' },
    { name: 'X-A', value: '2' },
  ]
  const _signature = { result: 'invalid', cause: 'wrong_secret', is_masked: true }
  const request = { ...HOOK, headers, postData: { mimeType: 'application/json', text: '{"a":"ü"}' } }
  expect(await messagesOf({ startedDateTime: '2026-05-06T12:00:01.500Z', request, _signature })).toEqual([
    {
      place: 'entry 1',
      at: Date.parse('2026-05-06T12:00:01.500Z'),
      body: Buffer.from('{"a":"ü"}'),
      headers: [
        ['X-A', '1'],
        ['X-A', '2'],
      ],
      signature: _signature,
      about: ABOUT,
    },
  ])
})

test.each([
  ['no body', undefined],
  ['an empty body', { text: '' }],
  ['an empty body in base64', { text: '', _encoding: 'base64' }],
])('a request of a HAR file with %s, and without a time, has only its place and name', async (_, postData) => {
  expect(await messagesOf({ startedDateTime: 'soon', request: { ...HOOK, postData } })).toStrictEqual([
    { place: 'entry 1', headers: [], about: ABOUT },
  ])
})

test('a body in base64 is decoded, and one that is damaged is reported', async () => {
  const requests = ['eyJh Ijox fQ==', 'eyJh$Ijox'].map((text) => ({
    request: { ...HOOK, postData: { text, _encoding: 'base64' } },
  }))
  const text = { request: { ...HOOK, postData: { text: '{"$":1}' } } }
  expect(await messagesOf(...requests, text)).toStrictEqual([
    { place: 'entry 1', body: Buffer.from('{"a":1}'), headers: [], about: ABOUT },
    { place: 'entry 2', noBody: 'its text is not valid base64.', headers: [], about: ABOUT },
    { place: 'entry 3', body: Buffer.from('{"$":1}'), headers: [], about: ABOUT },
  ])
})
