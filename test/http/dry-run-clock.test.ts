// A dry run of `psp clock advance` says what an advance would do.
import { expect, test } from 'vitest'
import { openSandbox } from './fixtures.ts'

const DRY_RUN = { 'x-psp-dry-run': 'true' }

test('a dry run of an advance counts the steps and deliveries until its end, and moves no time', async () => {
  const api = await openSandbox()
  await api.hooks()
  const id = await api.pay()
  await api.ask('POST', `/v1/public/payments/${id}/cancel`)
  await api.pay()
  await api.pay()
  const before = (await api.get('/clock')).body
  const advance = async (by: string) => {
    const { body, headers } = await api.call('POST', '/_psp/clock/advance', { by }, DRY_RUN)
    expect(headers.get('x-psp-dry-run')).toBe('true')
    return body
  }
  const [soon, late] = [await advance('1ms'), await advance('24h')]
  expect([soon.steps, soon.deliveries]).toEqual([1, 1])
  expect([late.steps, late.deliveries]).toEqual([3, 1])
  expect((await api.get('/clock')).body).toEqual(before)
  expect((await api.post('/clock/advance', { by: '1ms' })).body).toMatchObject({ steps: 1, deliveries: 1 })
})
