// Spec 5.7: idempotency keys across restarts, the order of checks, and their lifetime.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { assembleSandbox } from '../../src/sandbox.ts'
import { type Adapter, createArrangement, openSandboxAdapter } from '../contract/adapter.ts'
import {
  type CallResponse,
  createPayment,
  createPayout,
  get,
  PAYMENTS,
  post,
  statusAndCode,
  succeeded,
} from '../contract/caller.ts'

const keyed = (key: string, more: Record<string, string> = {}) => ({ headers: { 'Idempotency-Key': key, ...more } })

async function onFolder(folder: string): Promise<Adapter> {
  const sandbox = await assembleSandbox({ folder, clock: { mode: 'frozen' } })
  const fetch: Adapter['fetch'] = (path, init) => sandbox.fetch(new Request(`http://127.0.0.1:7770${path}`, init))
  return { fetch, ...createArrangement(sandbox), close: () => sandbox.close() }
}

describe('over a restart', () => {
  test('keys of payments, payouts and refunds survive a restart and expire by the virtual clock', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'psp-keys-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const asked = async (adapter: Adapter, paid: string) => [
      await createPayment(adapter, {}, keyed('payment')),
      await createPayout(adapter, {}, keyed('payout')),
      await post(adapter, `${PAYMENTS}/${paid}/refund`, { amount: 1 }, keyed('refund')),
    ]
    const idOf = ({ body }: CallResponse) => (body.payment ?? body.payout ?? body).id
    const first = await onFolder(folder)
    const paid = await succeeded(first)
    const made = await asked(first, paid)
    await first.close()

    const second = await onFolder(folder)
    const again = await asked(second, paid)
    expect(again.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(again.map(idOf)).toEqual(made.map(idOf))
    expect(statusAndCode(await createPayment(second, { amount: 1 }, keyed('payment')))).toEqual([
      409,
      'idempotent_conflict',
    ])
    await second.arrange.advance(24 * 3_600_000)
    await second.close()

    const third = await onFolder(folder)
    onTestFinished(() => third.close())
    const anew = await asked(third, paid)
    expect(anew.map(({ status }) => status)).toEqual([201, 201, 201])
  })
})

describe('expiry', () => {
  let adapter: Adapter
  beforeEach(async () => {
    adapter = await openSandboxAdapter()
  })
  afterEach(() => adapter.close())

  test('a key returns its object up to the last millisecond of idempotency_ttl, and then creates a new one', async () => {
    const first = await createPayment(adapter, {}, keyed('k'))
    await adapter.arrange.advance(24 * 3_600_000 - 1)
    const last = await createPayment(adapter, {}, keyed('k'))
    expect([last.status, last.body.payment.id]).toEqual([200, first.body.payment.id])
    await adapter.arrange.advance(1)
    const next = await createPayment(adapter, {}, keyed('k'))
    expect([next.status, next.body.payment.id === first.body.payment.id]).toEqual([201, false])
  })

  test('each new key removes two expired keys, and no key that is still valid', async () => {
    const stored = async () =>
      (await get(adapter, '/_psp/export?tables=idempotency', { key: null })).body.tables.idempotency.length
    for (let n = 0; n < 5; n++) await createPayment(adapter, {}, keyed(`old ${n}`))
    await adapter.arrange.advance(24 * 3_600_000)
    const sizes: number[] = []
    for (let n = 0; n < 5; n++) {
      await createPayment(adapter, {}, keyed(`new ${n}`))
      sizes.push(await stored())
    }
    expect(sizes).toEqual([4, 3, 3, 4, 5])
  })
})

describe('in the order of checks', () => {
  let adapter: Adapter
  beforeEach(async () => {
    adapter = await openSandboxAdapter()
  })
  afterEach(() => adapter.close())

  test('the body is checked before the key, and the key before the business rules', async () => {
    await createPayment(adapter, {}, keyed('k'))
    expect(statusAndCode(await createPayment(adapter, { amount: 0 }, keyed('k')))).toEqual([400, 'bad_request'])
    expect(statusAndCode(await createPayout(adapter, { bank_id: '123456789012' }, keyed('k')))).toEqual([
      409,
      'idempotent_conflict',
    ])
    expect(statusAndCode(await createPayment(adapter, { amount: 10_093 }, keyed('k')))).toEqual([
      409,
      'idempotent_conflict',
    ])
    const id = await succeeded(adapter)
    const path = `${PAYMENTS}/${id}/refund`
    expect((await post(adapter, path, {}, keyed('all'))).status).toBe(201)
    // Although nothing is left to refund, the retry returns its refund.
    expect(await post(adapter, path, {}, keyed('all'))).toMatchObject({ status: 200, body: { amount: 150_000 } })
    expect(statusAndCode(await post(adapter, path, { amount: 1 }, keyed('all')))).toEqual([409, 'idempotent_conflict'])
    expect(statusAndCode(await post(adapter, path, {}, keyed('other')))).toEqual([409, 'already_refunded'])
  })

  test('a repeat ignores X-PSP-Simulate', async () => {
    const first = await createPayment(adapter, {}, keyed('k'))
    const again = await createPayment(adapter, {}, keyed('k', { 'X-PSP-Simulate': 'error:aml_blocked' }))
    expect([again.status, again.body.payment.id]).toEqual([200, first.body.payment.id])
    expect((await get(adapter, `/_psp/payments`, { key: null })).body.items).toHaveLength(1)
  })
})
