// What an earlier version stored: a row for each timer of a payment.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Payment } from '../../src/domain/payment.ts'
import { put } from '../../src/engine/commit.ts'
import { TABLE_NAMES, type Timer, type TimerKind } from '../../src/engine/tables.ts'
import { assembleSandbox, type Sandbox } from '../../src/sandbox.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { StoredTables } from '../../src/store/snapshots.ts'
import { temporaryFolder } from '../store/fixtures.ts'

const CLOCK = { mode: 'frozen' } as const

test('an older folder goes on: each payment ends as it would have, and no older program takes it up', async () => {
  const { tables, ends } = await story()
  const folder = temporaryFolder()
  const store = await openStore({ folder, wall: { now: Date.now }, notice() {} })
  const older = asBefore(tables)
  const puts = TABLE_NAMES.flatMap((name) => older[name].map((row) => put(name, row as never)))
  store.append(0 as never, 'fill', { clear: [], deletes: [], puts, stream: [], reply: null })
  await store.close()
  const state = join(folder, 'state.json')
  writeFileSync(state, readFileSync(state, 'utf8').replace('"format": 3', '"format": 2'))

  const sandbox = await open({ folder })
  expect(JSON.parse(readFileSync(state, 'utf8')).format).toBe(3)
  expect(kinds(sandbox)).toEqual(['settle_payout'])
  expect(await endsOf(sandbox)).toEqual(ends)
})

test('so does an import of an older state', async () => {
  const { tables, ends } = await story()
  const sandbox = await open()
  sandbox.engine.execute('import_state', { tables: asBefore(tables) })
  expect(kinds(sandbox)).toEqual(['settle_payout'])
  expect(await endsOf(sandbox)).toEqual(ends)
})

/** Payments at every point of their life, and how each ends. */
async function story() {
  const sandbox = await open()
  const { engine } = sandbox
  const shop_id = sandbox.start().shop_id
  const caller = { shop_id, mode: 'test' as const }
  const create = (method: 'any' | 'sbp', plan: 'succeeded' | 'pending' | 'requires_action') =>
    engine.execute('create_payment', {
      caller,
      input: { amount: 100, currency: 'RUB', method, metadata: {} },
      plan: { outcome: plan },
    }).object
  create('sbp', 'pending')
  create('sbp', 'succeeded')
  await sandbox.timeline.advance({ by: 1000 })
  create('any', 'succeeded')
  create('sbp', 'succeeded')
  create('any', 'requires_action')
  engine.execute('create_payout', {
    caller,
    input: { amount: 100, currency: 'RUB', phone: '+79991234567', bank_id: '100000000111' },
  })
  const tables = JSON.parse(JSON.stringify(sandbox.store.exportAll())) as StoredTables
  const steps = tables.payments.map(({ status, step }) => `${status} ${step}`)
  expect(steps).toEqual([
    'processing undefined',
    'processing bank_answer',
    'pending pick_method',
    'pending open_session',
    'pending undefined',
  ])
  return { tables, ends: await endsOf(sandbox) }
}

async function endsOf(sandbox: Sandbox) {
  await sandbox.timeline.advance({ by: 24 * 3_600_000 })
  return [...sandbox.engine.world.rows('payments')].map(({ id, status, finalized_at, step, seq }) => ({
    id,
    status,
    finalized_at,
    step,
    seq,
  }))
}

/** The tables as the version before wrote them. */
function asBefore(tables: StoredTables): StoredTables {
  const timers: Timer[] = tables.payments.flatMap((payment) => {
    const { id, step, step_at, seq = 0, status } = payment
    const timer = (kind: TimerKind, due: Timer['due'], at: number) => ({
      id: `${kind}:${id}`,
      kind,
      object_id: id,
      due,
      seq: at,
    })
    const end =
      status === 'pending'
        ? timer('link_timeout', payment.expires_at, seq)
        : timer('session_timeout', payment.processing_until as Timer['due'], seq)
    return step === undefined ? [end] : [end, timer(step, step_at as Timer['due'], seq + 1)]
  })
  const payments = tables.payments.map(({ step, step_at, seq, ...payment }): Payment => payment)
  return { ...tables, payments, timers: [...timers, ...tables.timers] }
}

const kinds = ({ engine }: Sandbox) => [...engine.world.rows('timers')].map(({ kind }) => kind)

async function open(options: { folder?: string } = {}): Promise<Sandbox> {
  const sandbox = await assembleSandbox({ clock: CLOCK, ...options })
  onTestFinished(() => sandbox.close({ grace_ms: 0 }))
  return sandbox
}
