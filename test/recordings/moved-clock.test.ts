import { expect, test } from 'vitest'
import { compareRecording } from '../../src/recordings/compare/compare-recording.ts'
import { createMasking } from '../../src/recordings/masking.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'
import { recordSandbox, startReplaySandbox } from './recorded-sandbox.ts'

type Traffic = Parameters<typeof recordSandbox>[1]

const WAITING = { headers: { 'X-PSP-Simulate': 'pending' } }

const TRAFFIC: readonly (readonly [about: string, settings: { readonly [name: string]: unknown }, traffic: Traffic])[] =
  [
    [
      'before the bank session is opened',
      { 'delays.session': '10m' },
      async (shop, _, __, advanceClock) => {
        const { id } = await shop.call('POST', 'payments', { amount: 100, method: 'sbp' }, WAITING)
        await advanceClock('12m')
        await shop.until(`payments/${id}`, 'processing')
        await shop.call('POST', 'payments', { amount: 200, method: 'sbp' }, WAITING)
      },
    ],
    [
      'while a stream reports the bank session',
      { 'delays.session': '10m' },
      async (shop, _, __, advanceClock) => {
        const stream = await shop.stream()
        await shop.call('POST', 'payments', { amount: 100, method: 'tpay' }, WAITING)
        await advanceClock('12m')
        await stream.until('processing')
        stream.close()
      },
    ],
    [
      'while the bank decides',
      { 'delays.bank': '10m' },
      async (shop, _, __, advanceClock) => {
        const { id } = await shop.call('POST', 'payments', { amount: 100, method: 'sbp' })
        await shop.until(`payments/${id}`, 'processing')
        await advanceClock('30m')
        await shop.until(`payments/${id}`, 'succeeded')
        await shop.call('POST', `payments/${id}/refund`, { amount: 50 })
        await shop.call('GET', `payments/${id}`)
      },
    ],
    [
      'over the end of a bank session',
      {},
      async (shop, _, __, advanceClock) => {
        const { id } = await shop.call('POST', 'payments', { amount: 100, method: 'cards' }, WAITING)
        await shop.until(`payments/${id}`, 'processing')
        await advanceClock('25m')
        await shop.until(`payments/${id}`, 'expired')
      },
    ],
    [
      'over the lifetime of an Idempotency-Key',
      {},
      async (shop, _, __, advanceClock) => {
        await shop.call('POST', 'payments', { amount: 100 }, { key: 'k-1' })
        await advanceClock('400d')
        await shop.call('POST', 'payments', { amount: 100 }, { key: 'k-1' })
        await shop.call('POST', 'payments', { amount: 100 }, { key: 'k-1' })
      },
    ],
  ]

test.each(TRAFFIC)(
  'no difference is reported if the clock of the service was advanced %s',
  async (_, settings, traffic) => {
    const { calls } = await recordSandbox(settings, traffic)
    const { differences } = await compareRecording({
      calls,
      settings: {},
      start: startReplaySandbox,
      systemClock: createSystemClock(),
      mask: createMasking({ key: Buffer.alloc(32, 7) }),
    })
    expect(differences).toEqual([])
  },
)
