import { expect, test } from 'vitest'
import { compareRecording } from '../../src/recordings/compare/compare-recording.ts'
import { recordedCall } from '../../src/recordings/compare/recorded-call.ts'
import { createMasking } from '../../src/recordings/masking.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'
import { recordSandbox, startReplaySandbox } from './recorded-sandbox.ts'

test('the report of a comparison masks the keys of a recording that is not masked', async () => {
  const { entries } = await recordSandbox({}, (shop) => shop.call('POST', 'payments', { amount: 100 }).then(() => {}))
  const unmasked = JSON.parse(
    JSON.stringify(entries).replaceAll('{\\"payment\\":{', '{\\"payment\\":{\\"Иван Петров\\":1,\\"fee_amount\\":2,'),
  ) as typeof entries
  const { differences } = await compareRecording({
    calls: unmasked.flatMap((entry, at) => recordedCall(entry, at + 1) ?? []),
    settings: {},
    start: startReplaySandbox,
    systemClock: createSystemClock(),
    mask: createMasking({ key: Buffer.alloc(32, 7) }),
  })
  expect(differences.map(({ at }) => at)).toEqual([
    expect.stringMatching(/^payment\.x_[a-z]{10}$/),
    'payment.fee_amount',
  ])
})
