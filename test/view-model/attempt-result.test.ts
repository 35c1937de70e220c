// The notice of the terminal view after a webhook was sent.
import { expect, test } from 'vitest'
import { runCall } from '../../src/view-model/feed/run-call.ts'

const URL = 'http://x/hooks'
const REFUSED = 'Connection refused: nothing listens on http://x. Is your server running?'

test.each([
  [{ attempts: [{ status: 200 }] }, `Sent: 200 from ${URL}.`],
  [{ attempts: [{ status: 200 }], edited: true }, `Sent the edited body: 200 from ${URL}.`],
  [{ attempts: [{ status: 200 }, { status: 500, error: 'x' }] }, `Not delivered to ${URL}: 500.`],
  [{ attempts: [{ status: null, error: REFUSED }] }, `Not delivered to ${URL}: ${REFUSED}`],
  [{ attempts: [{ status: null, error: null }] }, `Not delivered to ${URL}: no response.`],
  [{ attempts: [{ status: 200, error: 'It was cut.' }] }, `Not delivered to ${URL}: It was cut.`],
  [{ attempts: [] }, `Not delivered to ${URL}: no attempt was made.`],
  [{ attempts: [{ status: 404 }], edited: true }, `The edited body was not delivered to ${URL}: 404.`],
])('a delivery with %j is reported as %j', async (fields, text) => {
  const delivery = { url: URL, edited: false, ...fields }
  const client = { control: { deliveries: { retry: async () => delivery } } } as never
  const ports = { client, openPage: async () => {}, payUrl: '' }
  expect(await runCall({ do: 'retry', delivery_id: 'd' }, ports)).toEqual({ text })
})

test('each delivery of a replay has its own sentence', async () => {
  const items = [
    { url: 'http://a/', edited: false, attempts: [{ status: 204 }] },
    { url: 'http://b/', edited: false, attempts: [{ status: null, error: REFUSED }] },
  ]
  const client = { control: { events: { replay: async () => ({ items }) } } } as never
  const ports = { client, openPage: async () => {}, payUrl: '' }
  expect((await runCall({ do: 'replay', event_id: 'e' }, ports)).text).toBe(
    `Sent: 204 from http://a/. Not delivered to http://b/: ${REFUSED}`,
  )
})
