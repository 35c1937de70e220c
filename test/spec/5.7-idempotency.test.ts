// Spec 5.7 where it needs more than one caller at a door: restarts, the order of checks, shared lifetimes.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { assembleSandbox } from '../../src/sandbox.ts'
import { createPayment, createPayout, get, PAYMENTS, post, type Reply, said, succeeded } from '../contract/caller.ts'
import { type Door, openSandboxDoor, standing } from '../contract/door.ts'

const keyed = (key: string, more: Record<string, string> = {}) => ({ headers: { 'Idempotency-Key': key, ...more } })

async function onFolder(folder: string): Promise<Door> {
  const sandbox = await assembleSandbox({ folder, clock: { mode: 'frozen' } })
  const fetch: Door['fetch'] = (path, init) => sandbox.fetch(new Request(`http://127.0.0.1:7770${path}`, init))
  return { fetch, ...standing(sandbox), close: () => sandbox.close() }
}

describe('over a restart', () => {
  test('keys of payments, payouts and refunds are kept, and run out at their time on the virtual clock', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'psp-keys-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const asked = async (door: Door, paid: string) => [
      await createPayment(door, {}, keyed('payment')),
      await createPayout(door, {}, keyed('payout')),
      await post(door, `${PAYMENTS}/${paid}/refund`, { amount: 1 }, keyed('refund')),
    ]
    const idOf = ({ body }: Reply) => (body.payment ?? body.payout ?? body).id
    const first = await onFolder(folder)
    const paid = await succeeded(first)
    const made = await asked(first, paid)
    await first.close()

    const second = await onFolder(folder)
    const again = await asked(second, paid)
    expect(again.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(again.map(idOf)).toEqual(made.map(idOf))
    expect(said(await createPayment(second, { amount: 1 }, keyed('payment')))).toEqual([409, 'idempotent_conflict'])
    await second.arrange.advance(24 * 3_600_000)
    await second.close()

    const third = await onFolder(folder)
    onTestFinished(() => third.close())
    const anew = await asked(third, paid)
    expect(anew.map(({ status }) => status)).toEqual([201, 201, 201])
  })
})

describe('in the order of checks', () => {
  let door: Door
  beforeEach(async () => {
    door = await openSandboxDoor()
  })
  afterEach(() => door.close())

  test('the body comes before the key, the key before the business rules', async () => {
    await createPayment(door, {}, keyed('k'))
    expect(said(await createPayment(door, { amount: 0 }, keyed('k')))).toEqual([400, 'bad_request'])
    expect(said(await createPayout(door, { bank_id: '123456789012' }, keyed('k')))).toEqual([
      409,
      'idempotent_conflict',
    ])
    expect(said(await createPayment(door, { amount: 10_093 }, keyed('k')))).toEqual([409, 'idempotent_conflict'])
    const id = await succeeded(door)
    const path = `${PAYMENTS}/${id}/refund`
    expect((await post(door, path, {}, keyed('all'))).status).toBe(201)
    // Nothing is left, and the retry still finds its refund.
    expect(await post(door, path, {}, keyed('all'))).toMatchObject({ status: 200, body: { amount: 150_000 } })
    expect(said(await post(door, path, { amount: 1 }, keyed('all')))).toEqual([409, 'idempotent_conflict'])
    expect(said(await post(door, path, {}, keyed('other')))).toEqual([409, 'already_refunded'])
  })

  test('a replay ignores what X-PSP-Simulate would do now', async () => {
    const first = await createPayment(door, {}, keyed('k'))
    const again = await createPayment(door, {}, keyed('k', { 'X-PSP-Simulate': 'error:aml_blocked' }))
    expect([again.status, again.body.payment.id]).toEqual([200, first.body.payment.id])
    expect((await get(door, `/_psp/payments`, { key: null })).body.items).toHaveLength(1)
  })
})
