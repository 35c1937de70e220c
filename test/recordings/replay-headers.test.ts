import { expect, test } from 'vitest'
import { compareObserved, recordSandbox } from './recorded-sandbox.ts'

test('a recorded dry run is a dry run in the replay, so that its payment does not exist afterwards', async () => {
  const { calls } = await recordSandbox({ buyer: 'manual' }, async (shop) => {
    await shop.call('POST', 'payments', { amount: 100 }, { headers: { 'X-PSP-Dry-Run': 'true' } })
    await shop.call('POST', 'payments', { amount: 100 }, { headers: { 'X-PSP-Dry-Run': 'yes' } })
    const { id } = await shop.call('POST', 'payments', { amount: 200 })
    await shop.call('POST', `payments/${id}/cancel`, {}, { headers: { 'X-PSP-Dry-Run': 'true' } })
    await shop.call('GET', `payments/${id}`)
    await shop.call('POST', `payments/${id}/cancel`, {})
  })
  expect(calls.map(({ status }) => status)).toEqual([201, 400, 201, 200, 200, 200])
  const sent: unknown[] = []
  const { differences } = await compareObserved(calls, {}, (init) => sent.push(init.headers?.['x-psp-dry-run']))
  expect(differences).toEqual([])
  expect(sent).toEqual(['true', 'yes', undefined, 'true', undefined, undefined])
})
