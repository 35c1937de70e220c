import { expect, test } from 'vitest'
import { compareRecording } from '../../src/recordings/compare/compare-recording.ts'
import { recordedCall } from '../../src/recordings/compare/recorded-call.ts'
import type { HarEntry } from '../../src/recordings/har.ts'
import { createMasking } from '../../src/recordings/masking.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'
import { recordSandbox, startReplaySandbox } from './recorded-sandbox.ts'

const START = Date.parse('2026-05-06T12:00:00.000Z')

/** Moves the entry in time. Its payment was created at `START`, and expires 2 s later. */
function at(entry: HarEntry | undefined, ms: number, time: number): HarEntry {
  const text = JSON.stringify(entry)
    .replaceAll(/(created_at\\":\\")[^\\]+/g, '$12026-05-06T12:00:00.000Z')
    .replaceAll(/(expires_at\\":\\")[^\\]+/g, '$12026-05-06T12:00:02.000Z')
  return { ...JSON.parse(text), startedDateTime: new Date(START + ms).toISOString(), time }
}

test.each([
  ['within 1 ms of the end', 1999, 1.3],
  ['while the end is late', 2040, 3],
])(
  'a read that shows a payment before its end, %s, does not differ',
  async (_, ms, time) => {
    const { entries } = await recordSandbox({ 'delays.session': '1h', 'delays.buyer': '1h' }, async (shop) => {
      const plan = { headers: { 'X-PSP-Simulate': 'pending' } }
      const { id } = await shop.call('POST', 'payments', { amount: 100, method: 'tpay' }, plan)
      await shop.call('GET', `payments/${id}`)
    })
    const [created, read] = entries
    const calls = [at(created, -1, 1), at(read, ms, time)].flatMap((entry, at) => recordedCall(entry, at + 1) ?? [])
    const { differences } = await compareRecording({
      calls,
      settings: { link_ttl: '2s' },
      start: startReplaySandbox,
      systemClock: createSystemClock(),
      mask: createMasking({ key: Buffer.alloc(32, 7) }),
    })
    expect(calls.map(({ shows }) => shows?.status)).toEqual(['pending', 'pending'])
    expect(differences).toEqual([])
  },
  60_000,
)
