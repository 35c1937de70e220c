import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { compareRecording } from '../../src/recordings/compare/compare-recording.ts'
import { createMasking } from '../../src/recordings/masking.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'
import { recordSandbox, startReplaySandbox } from './recorded-sandbox.ts'

test('a compressed request is sent compressed, so that it is refused as in the recording', async () => {
  const { calls } = await recordSandbox({}, async (shop) => {
    const body = gzipSync(JSON.stringify({ amount: 100 }))
    await shop.call('POST', 'payments', body, { headers: { 'Content-Encoding': 'gzip' } })
  })
  expect(calls).toMatchObject([{ status: expect.toSatisfy((status) => status >= 400), requestJson: { amount: 100 } }])
  const bodies: unknown[] = []
  const { differences, compared } = await compareRecording({
    calls,
    settings: {},
    async start(options) {
      const sandbox = await startReplaySandbox(options)
      return {
        ...sandbox,
        async fetch(url, init) {
          if (url.includes('/v1/public/')) bodies.push(init.body)
          return await sandbox.fetch(url, init)
        },
      }
    },
    systemClock: createSystemClock(),
    mask: createMasking({ key: Buffer.alloc(32, 7) }),
  })
  expect([differences, compared]).toEqual([[], 1])
  expect(bodies).toEqual([expect.any(Uint8Array)])
})
