import { expect, test } from 'vitest'
import { compareObserved, recordSandbox } from './recorded-sandbox.ts'

test.each([['x'.repeat(200)], ['x'.repeat(201)], ['😀'.repeat(201)]])(
  'a recording is compared although the shop name of its service is long (%#)',
  async (shop_name) => {
    const { calls } = await recordSandbox({}, async (shop) => {
      await shop.call('POST', 'payments', { amount: 100 })
    })
    const body = calls[0]?.response?.json as { payment: object } | undefined
    Object.assign(body?.payment as object, { shop_name })
    const { differences, compared } = await compareObserved(calls, {}, () => {})
    expect([differences, compared]).toEqual([[], 1])
  },
)
