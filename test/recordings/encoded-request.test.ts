import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { compareObserved, recordSandbox } from './recorded-sandbox.ts'

test('a compressed request is sent compressed, so that it is refused as in the recording', async () => {
  const { calls } = await recordSandbox({}, async (shop) => {
    const body = gzipSync(JSON.stringify({ amount: 100 }))
    await shop.call('POST', 'payments', body, { headers: { 'Content-Encoding': 'gzip' } })
  })
  expect(calls).toMatchObject([{ status: expect.toSatisfy((status) => status >= 400), requestJson: { amount: 100 } }])
  const bodies: unknown[] = []
  const { differences, compared } = await compareObserved(calls, {}, (init) => bodies.push(init.body))
  expect([differences, compared]).toEqual([[], 1])
  expect(bodies).toEqual([expect.any(Uint8Array)])
})
