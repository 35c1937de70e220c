import { expect, test } from 'vitest'
import { compareRecording } from '../../src/recordings/compare/compare-recording.ts'
import { recordedCall } from '../../src/recordings/compare/recorded-call.ts'
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
const endingAt = (entry: HarEntry, end: number): HarEntry => ({ ...entry, time: end - startOf(entry) })

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
