// Spec 3.3: the end of a payout, automatic or by an action, and its events.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Adapter, openSandboxAdapter } from '../contract/adapter.ts'
import { createPayout, eventsOf, get, PAYOUTS, settle, statusAndCode } from '../contract/caller.ts'

let adapter: Adapter
beforeEach(async () => {
  adapter = await openSandboxAdapter()
})
afterEach(() => adapter.close())

const read = async (id: string) => (await get(adapter, `${PAYOUTS}/${id}`)).body
const events = async (id: string) => (await eventsOf(adapter, id)).map(({ event }: { event: string }) => event)

describe('3.3 the states', () => {
  test('an accepted payout succeeds with completed_at and one webhook', async () => {
    const { payout } = (await createPayout(adapter)).body
    await adapter.arrange.advance(999)
    expect((await read(payout.id)).status).toBe('pending')
    await adapter.arrange.advance(1)
    expect(await read(payout.id)).toMatchObject({ status: 'succeeded', completed_at: '2026-05-06T12:00:01.000Z' })
    expect(await events(payout.id)).toEqual(['payout.succeeded'])
  })

  test('a rejected payout fails with fail_reason and one webhook', async () => {
    const headers = { 'X-PSP-Simulate': 'failed:recipient_not_found@30s' }
    const { payout, simulator } = (await createPayout(adapter, {}, { headers })).body
    expect(simulator).toBe('failed')
    await adapter.arrange.advance(30_000)
    expect(await read(payout.id)).toMatchObject({ status: 'failed', fail_reason: 'recipient_not_found' })
    expect(await events(payout.id)).toEqual(['payout.failed'])
  })

  test('a synchronously refused payout has failure_reason and a webhook', async () => {
    const { body } = await createPayout(adapter, {}, { headers: { 'X-PSP-Simulate': 'refused:limit_exceeded' } })
    expect(body).toMatchObject({
      failure_reason: 'limit_exceeded',
      payout: { status: 'failed', fail_reason: 'limit_exceeded' },
    })
    expect(await events(body.payout.id)).toEqual(['payout.failed'])
  })

  test.each(['pending', 'requires_action'])(
    'a payout with the plan %s is pending until it is settled once',
    async (plan) => {
      const { payout } = (await createPayout(adapter, {}, { headers: { 'X-PSP-Simulate': plan } })).body
      await adapter.arrange.advance(30 * 24 * 3_600_000)
      expect((await read(payout.id)).status).toBe('pending')
      expect(
        (await settle(adapter, 'payouts', payout.id, { status: 'failed', failure_code: 'bank_unknown' })).status,
      ).toBe(200)
      expect(await read(payout.id)).toMatchObject({ status: 'failed', fail_reason: 'bank_unknown' })
      expect(statusAndCode(await settle(adapter, 'payouts', payout.id, { status: 'succeeded' }))).toEqual([
        409,
        'not_allowed',
      ])
    },
  )
})
