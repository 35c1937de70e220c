import { expect, test } from 'vitest'
import { compareRecording } from '../../src/recordings/compare/compare-recording.ts'
import { recordedCall } from '../../src/recordings/compare/recorded-call.ts'
import type { HarEntry } from '../../src/recordings/har.ts'
import { createMasking } from '../../src/recordings/masking.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'
import { recordSandbox, type Shop, startReplaySandbox } from './recorded-sandbox.ts'

const endOf = (entry: HarEntry) => Date.parse(entry.startedDateTime) + entry.time
const endingAt = (entry: HarEntry, end: number): HarEntry => ({ ...entry, time: entry.time + end - endOf(entry) })

async function paid(shop: Shop): Promise<string> {
  const { id } = await shop.call('POST', 'payments', { amount: 100, method: 'sbp' })
  await shop.until(`payments/${id}`, 'succeeded')
  return id
}

async function pending(shop: Shop): Promise<string> {
  const { id } = await shop.call(
    'POST',
    'payments',
    { amount: 100 },
    { headers: { 'X-PSP-Simulate': 'requires_action' } },
  )
  return id
}

const CHANGES = [
  ['refund', paid, { amount: 30 }],
  ['cancel', pending, undefined],
] as const

test.each(CHANGES)(
  'a read that does not show a %s was before it, although its response ended later',
  async (action, create, body) => {
    const { entries } = await recordSandbox({}, async (shop) => {
      const id = await create(shop)
      await shop.call('GET', `payments/${id}`)
      await shop.call('POST', `payments/${id}/${action}`, body)
      await shop.call('GET', `payments/${id}`)
    })
    const [read, change] = entries.slice(-3) as [HarEntry, HarEntry]
    expect(await differences(entries, read, endOf(change) + 20)).toEqual([])
  },
)

test.each(CHANGES)(
  'a read that shows a %s was after it, although its response ended earlier',
  async (action, create, body) => {
    const { entries } = await recordSandbox({}, async (shop) => {
      const id = await create(shop)
      await shop.call('POST', `payments/${id}/${action}`, body)
      await shop.call('GET', `payments/${id}`)
      await shop.call('GET', `payments/${id}`)
    })
    const [change, read] = entries.slice(-3) as [HarEntry, HarEntry]
    expect(await differences(entries, change, endOf(read) + 20)).toEqual([])
  },
)

async function differences(entries: readonly HarEntry[], moved: HarEntry, end: number) {
  const shifted = entries.map((entry) => (entry === moved ? endingAt(entry, end) : entry))
  const report = await compareRecording({
    calls: shifted.flatMap((entry, at) => recordedCall(entry, at + 1) ?? []),
    settings: {},
    start: startReplaySandbox,
    systemClock: createSystemClock(),
    mask: createMasking({ key: Buffer.alloc(32, 7) }),
  })
  return report.differences
}
