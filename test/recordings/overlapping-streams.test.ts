import { expect, test } from 'vitest'
import { compareRecording } from '../../src/recordings/compare/compare-recording.ts'
import { recordedCall } from '../../src/recordings/compare/recorded-call.ts'
import { observedMessages } from '../../src/recordings/compare/stream-messages.ts'
import type { HarEntry } from '../../src/recordings/har.ts'
import { createMasking } from '../../src/recordings/masking.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'
import { recordSandbox, startReplaySandbox } from './recorded-sandbox.ts'

const compare = (entries: readonly HarEntry[], settings = {}) =>
  compareRecording({
    calls: entries.flatMap((entry, at) => recordedCall(entry, at + 1) ?? []),
    settings,
    start: startReplaySandbox,
    systemClock: createSystemClock(),
    mask: createMasking({ key: Buffer.alloc(32, 7) }),
  })

const isStream = ({ request, response }: HarEntry) => request.url.endsWith('/events') && response.status === 200
const startOf = ({ startedDateTime }: HarEntry) => Date.parse(startedDateTime)
/** The head of the response keeps its time. */
const endingAt = (entry: HarEntry, end: number): HarEntry => {
  const time = end - startOf(entry)
  const timings = { send: 0, ...entry.timings, receive: Math.max(0, time - (entry.timings?.wait ?? 0)) }
  return { ...entry, time, timings: { ...timings, wait: time - timings.receive } }
}
const endOf = (entry: HarEntry) => startOf(entry) + entry.time

test('a stream whose end the proxy noticed after the start of the next one has ended before it', async () => {
  const { entries } = await recordSandbox({}, async (shop) => {
    for (const amount of [100, 200]) {
      const stream = await shop.stream()
      await shop.call('POST', 'payments', { amount })
      await stream.until(`"amount":${amount},`)
      stream.close()
    }
  })
  const [first, second] = entries.filter(isStream) as [HarEntry, HarEntry]
  const late = { ...endingAt(first, startOf(second) + 40), _closed_by: 'client' as const }
  const shifted = entries.map((entry) => (entry === first ? late : entry))
  const { differences } = await compare(shifted, { stream_second: 'reject' })
  expect(differences).toEqual([])
})

test('a second stream was refused while the first one was open, even if its response ended later', async () => {
  const { entries } = await recordSandbox({ stream_second: 'reject' }, async (shop) => {
    const stream = await shop.stream()
    await shop.call('GET', 'events')
    stream.close()
  })
  const open = entries.find(isStream) as HarEntry
  const end = startOf(open) + open.time
  const shifted = entries.map((entry) => (entry === open ? entry : endingAt(entry, end + 40)))
  const { differences } = await compare(shifted, { stream_second: 'reject' })
  expect(differences).toEqual([])
})

test('a stream that the service ended at the start of the next one is a difference to a sandbox that refuses it', async () => {
  const { entries } = await recordSandbox({}, async (shop) => {
    const first = await shop.stream()
    const second = await shop.stream()
    await shop.call('POST', 'payments', { amount: 100 })
    await second.until('payment.created')
    first.close()
    second.close()
  })
  const { differences, proposals } = await compare(entries, { stream_second: 'reject' })
  expect(differences).toMatchObject([{ kind: 'status', setting: 'stream_second' }])
  expect(proposals).toMatchObject([{ setting: 'stream_second', value: 'replace' }])
})

test('a stream that the service replaced has its messages, even if it ended after the start of the next one', async () => {
  const { entries } = await recordSandbox({}, async (shop) => {
    const first = await shop.stream()
    await shop.call('POST', 'payments', { amount: 100 })
    await first.until('payment.created')
    const second = await shop.stream()
    await shop.call('POST', 'payments', { amount: 200 })
    await second.until('"amount":200')
    first.close()
    second.close()
  })
  const [first, second] = entries.filter(isStream) as [HarEntry, HarEntry]
  const late = endingAt(first, startOf(second) + 5)
  const shifted = entries.map((entry) => (entry === first ? late : entry))
  expect(late).not.toHaveProperty('_closed_by')
  expect((await compare(shifted)).differences).toEqual([])
})

test.each([
  ['paid', {}, 'succeeded', undefined],
  ['created', { 'X-PSP-Simulate': 'requires_action' }, 'payment.created', 'payments'],
  ['cancelled', { 'X-PSP-Simulate': 'requires_action' }, 'cancelled', 'cancel'],
])(
  'a message about a %s payment was sent before the next stream replaced its stream, even if the next request was recorded earlier',
  async (_, headers, last, cause) => {
    const { entries } = await recordSandbox({}, async (shop) => {
      const first = await shop.stream()
      const { id } = await shop.call('POST', 'payments', { amount: 100, method: 'sbp' }, { headers })
      if (cause === 'cancel') await shop.call('POST', `payments/${id}/cancel`)
      await first.until(last)
      const second = await shop.stream()
      first.close()
      second.close()
    })
    const [first, second] = entries.filter(isStream) as [HarEntry, HarEntry]
    const call = entries.findLast(({ request }) => cause !== undefined && request.url.endsWith(cause))
    const sentAt = observedMessages(first.response.content.text).at(-1)?.at ?? 0
    const start = Math.min(sentAt, call === undefined ? sentAt : startOf(call)) - 3
    const early = { ...second, startedDateTime: new Date(start).toISOString(), time: endOf(second) + 10 - start }
    const shifted = entries.map((entry) => (entry === second ? early : entry))
    expect(first).not.toHaveProperty('_closed_by')
    expect((await compare(shifted)).differences).toEqual([])
  },
)

/** Removes the messages about changes of state, as if no stream was open when they were sent. */
const withoutChanges = (entry: HarEntry): HarEntry => {
  const text = (entry.response.content.text ?? '').replace(/(?:id: .*\n)?event: payment\.status_changed\n.*\n\n/g, '')
  return { ...entry, response: { ...entry.response, content: { ...entry.response.content, text } } }
}

test('a message that no recorded stream has may have been sent while none was open', async () => {
  const { entries } = await recordSandbox({}, async (shop) => {
    const first = await shop.stream()
    const { id } = await shop.call('POST', 'payments', { amount: 100, method: 'sbp' })
    await first.until('payment.created')
    first.close()
    await shop.until(`payments/${id}`, 'succeeded')
    const second = await shop.stream()
    await shop.until(`payments/${id}`, 'succeeded')
    await shop.call('POST', 'payments', { amount: 200 })
    await second.until('"amount":200')
    second.close()
  })
  const reopened = startOf(entries.findLast(isStream) as HarEntry)
  const isEarlyRead = (entry: HarEntry) => entry.request.url.includes('/payments/') && startOf(entry) < reopened
  const lost = entries
    .filter((entry) => !isEarlyRead(entry))
    .map((entry) => (isStream(entry) ? withoutChanges(entry) : entry))
  // The second stream is open for long, so that its end explains nothing.
  const last = lost.findLast(isStream) as HarEntry
  const long = lost.map((entry) => (entry === last ? endingAt(entry, endOf(entry) + 5000) : entry))
  expect((await compare(long)).differences).toEqual([])
})

test('a message that a stream lacks is a difference if the stream was open for the whole time', async () => {
  const { entries } = await recordSandbox({}, async (shop) => {
    const stream = await shop.stream()
    const { id } = await shop.call('POST', 'payments', { amount: 100, method: 'sbp' })
    await shop.until(`payments/${id}`, 'succeeded')
    stream.close()
  })
  const lost = entries.map((entry) => (isStream(entry) ? withoutChanges(endingAt(entry, endOf(entry) + 5000)) : entry))
  expect((await compare(lost)).differences).toMatchObject([{ kind: 'added', at: 'message payment.status_changed' }])
})

test('a creation whose message is in a stream was made before the end of the stream', async () => {
  const { entries } = await recordSandbox({}, async (shop) => {
    const { id } = await shop.call('POST', 'payments', { amount: 100, method: 'sbp' })
    await shop.until(`payments/${id}`, 'succeeded')
    const stream = await shop.stream()
    await shop.call('POST', `payments/${id}/refund`, { amount: 50 })
    await stream.until('refund.created')
    stream.close()
  })
  const end = endOf(entries.find(isStream) as HarEntry)
  const shifted = entries.map((entry) => (entry.request.url.endsWith('/refund') ? endingAt(entry, end + 40) : entry))
  expect((await compare(shifted)).differences).toEqual([])
})
