// Changes that a recording shows only by a refused call, by a stream or by a later read.
import { expect, test } from 'vitest'
import { compareRecording } from '../../src/recordings/compare/compare-recording.ts'
import { recordedCall } from '../../src/recordings/compare/recorded-call.ts'
import { observedMessages } from '../../src/recordings/compare/stream-messages.ts'
import type { HarEntry } from '../../src/recordings/har.ts'
import { createMasking } from '../../src/recordings/masking.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'
import { recordSandbox, startReplaySandbox } from './recorded-sandbox.ts'

async function differencesIn(entries: readonly HarEntry[]) {
  const { differences } = await compareRecording({
    calls: entries.flatMap((entry, at) => recordedCall(entry, at + 1) ?? []),
    settings: {},
    findsSettings: false,
    start: startReplaySandbox,
    systemClock: createSystemClock(),
    mask: createMasking({ key: Buffer.alloc(32, 7) }),
  })
  return differences
}

const isRead = ({ request }: HarEntry) => request.method === 'GET'

test.each([
  ['has failed', { amount: 480_005 }, 'failed'],
  ['is processing', { amount: 480_000 }, 'processing'],
])(
  'a payment that %s and whose cancellation and refund are refused without a read does not differ',
  async (_, fields, status) => {
    const { entries } = await recordSandbox({ 'delays.bank': status === 'failed' ? '15ms' : '1h' }, async (shop) => {
      const { id } = await shop.call('POST', 'payments', { ...fields, method: 'sbp' })
      await shop.until(`payments/${id}`, status)
      await shop.call('POST', `payments/${id}/cancel`)
      await shop.call('POST', `payments/${id}/refund`)
      await shop.call('GET', `payments/${id}`)
    })
    const [created, cancel, refund] = entries.filter((entry) => !isRead(entry)) as [HarEntry, HarEntry, HarEntry]
    const read = entries.at(-1) as HarEntry
    expect([cancel, refund].map(({ response }) => response.status)).toEqual([409, 409])
    for (const recorded of [
      [created, cancel, refund, read],
      [created, cancel, refund],
      [cancel, refund, read],
      [cancel, refund],
    ])
      expect(await differencesIn(recorded)).toEqual([])
  },
  60_000,
)

test('a payment that was refused as not paid, and is paid later, does not differ', async () => {
  const { entries } = await recordSandbox({ 'delays.bank': '300ms' }, async (shop) => {
    const { id } = await shop.call('POST', 'payments', { amount: 480_000, method: 'sbp' })
    await shop.until(`payments/${id}`, 'processing')
    await shop.call('POST', `payments/${id}/cancel`)
    await shop.call('POST', `payments/${id}/refund`)
    await shop.until(`payments/${id}`, 'succeeded')
  })
  const changes = entries.filter((entry) => !isRead(entry))
  expect(changes.map(({ response }) => response.status)).toEqual([201, 409, 409])
  expect(await differencesIn([...changes, entries.at(-1) as HarEntry])).toEqual([])
}, 60_000)

test('a message that was sent before a stream opened does not differ if a later refund was refused', async () => {
  const { entries } = await recordSandbox({ 'delays.bank': '50ms' }, async (shop) => {
    const stream = await shop.stream()
    const { id } = await shop.call('POST', 'payments', { amount: 480_005, method: 'sbp' })
    await stream.until('"failed"')
    await shop.call('GET', `payments/${id}`)
    await shop.call('POST', `payments/${id}/refund`)
    stream.close()
  })
  const recorded = entries.map((entry) => {
    const { text = '' } = entry.response.content
    if (!entry.request.url.endsWith('/events')) return entry
    const failedAt = observedMessages(text).at(-1)?.at ?? 0
    // The messages of the last second may be lost anyway, so the stream ends later.
    const time = entry.time + 5000
    const receive = Date.parse(entry.startedDateTime) + time - failedAt
    const content = { ...entry.response.content, text: `${text.trimEnd().split('\n\n').at(-1)}\n\n` }
    return { ...entry, time, timings: { send: 0, wait: 0, receive }, response: { ...entry.response, content } }
  })
  expect(await differencesIn(recorded)).toEqual([])
}, 60_000)

test('a refund that was made outside of the recording does not differ in the reads before and after it', async () => {
  const { entries } = await recordSandbox({}, async (shop) => {
    const { id } = await shop.call('POST', 'payments', { amount: 480_000, method: 'sbp' })
    await shop.until(`payments/${id}`, 'succeeded')
    await shop.call('POST', `payments/${id}/refund`, { amount: 1000 })
    await shop.call('GET', `payments/${id}`)
  })
  const reads = entries.filter(isRead)
  const refunds = reads.map(({ response }) => JSON.parse(response.content.text ?? '').refunds.length)
  expect([refunds.at(-2), refunds.at(-1)]).toEqual([0, 1])
  expect(await differencesIn(reads)).toEqual([])
}, 60_000)
