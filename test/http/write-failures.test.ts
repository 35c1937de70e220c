// Failed writes as a shop sees them: each call to the disk that a request makes fails once, in turn.
import { expect, onTestFinished, test } from 'vitest'
import { assembleSandbox } from '../../src/sandbox.ts'
import { type Adapter, createArrangement, frozenSandbox } from '../contract/adapter.ts'
import { createPayment, get, PAYMENTS, post } from '../contract/caller.ts'
import { type Disk, diskError, memoryDisk } from '../store/memory-disk.ts'
import { manualSystemClock } from '../time/manual-system-clock.ts'

const FOLDER = '/home/.psp'

test.each([
  ['ENOSPC', false, /the disk is full: free some space \(ENOSPC\)/],
  ['ENOSPC', true, /the disk is full: free some space \(ENOSPC\)/],
  ['EROFS', false, /the file system is read-only: .*--data \(EROFS\)/],
  ['EROFS', true, /the file system is read-only: .*--data \(EROFS\)/],
  ['EIO', true, /input\/output error: check it \(EIO\)/],
])(
  'a write error %s at any call of a request changes nothing and is reported, durable: %s',
  async (code, durable, hint) => {
    const calls = await callsOfOneRequest(durable)
    expect(calls.some((call) => call.startsWith('write journal/'))).toBe(true)
    expect(calls.some((call) => call.startsWith('datasync journal/'))).toBe(durable)
    for (let point = 1; point <= calls.length; point++) {
      const { adapter, disk, notices } = await opened(memoryDisk(), durable)
      const kept = await createPayment(adapter, {}, { headers: { 'Idempotency-Key': 'kept' } })
      expect(kept.status).toBe(201)
      const from = disk.calls.length
      // If truncate fails as well, the store cannot repair its journal: see test/store/crash.test.ts.
      disk.before = (call, n) =>
        n >= from + point && !call.startsWith('truncate') ? { taken: 30, error: diskError(code) } : undefined

      const refused = await createPayment(adapter, {}, { headers: { 'Idempotency-Key': 'refused' } })
      expect([refused.status, refused.body.error.code]).toEqual([503, 'storage_unavailable'])
      expect(refused.body.error.message).toMatch(/nothing was changed.*output of `psp serve` shows the reason/i)
      expect(notices).toEqual([expect.stringMatching(hint)])
      expect(notices[0]).toMatch(
        /can be read, but not changed, until (a write succeeds\. Each change tries again|psp is started again)/,
      )

      expect(await stored(adapter)).toEqual([kept.body.payment.id])
      expect((await get(adapter, `${PAYMENTS}/${kept.body.payment.id}`)).status).toBe(200)
      expect((await post(adapter, PAYMENTS, { amount: 1 })).status).toBe(503)
      await adapter.close().catch(() => {})

      const next = await opened(disk.afterKill(), durable)
      expect(await stored(next.adapter)).toEqual([kept.body.payment.id])
      const again = await createPayment(next.adapter, {}, { headers: { 'Idempotency-Key': 'kept' } })
      expect([again.status, again.body.payment.id]).toEqual([200, kept.body.payment.id])
      const late = await createPayment(next.adapter, {}, { headers: { 'Idempotency-Key': 'refused' } })
      expect([late.status, late.body.idempotent]).toEqual([201, false])
      await next.adapter.close()
    }
  },
)

test('health reports a write error until a write succeeds, and then the steps that were due run', async () => {
  const disk = memoryDisk()
  const systemClock = manualSystemClock(Date.UTC(2026, 4, 6, 12))
  const sandbox = await assembleSandbox({ folder: FOLDER, systemClock, store: { fs: disk.port } })
  onTestFinished(() => adapter.close())
  const adapter: Adapter = {
    fetch: (path, init) => sandbox.fetch(new Request(`http://127.0.0.1:7770${path}`, init)),
    ...createArrangement(sandbox),
    close: () => sandbox.close(),
  }
  const health = () => get(adapter, '/_psp/health', { key: null })
  const { body } = await createPayment(adapter, { method: 'sbp' })
  const status = async () => (await get(adapter, `${PAYMENTS}/${body.payment.id}`)).body.status
  expect(await health()).toMatchObject({ status: 200, body: { status: 'ok', store: 'ok' } })

  disk.before = (call) => (call.includes('journal') ? { taken: 9, error: diskError('EMFILE') } : undefined)
  await systemClock.advance(10_000)
  expect(await status()).toBe('pending')
  expect(await health()).toMatchObject({
    status: 503,
    body: {
      status: 'failing',
      store: 'refuses_changes',
      version: sandbox.version,
      reason: expect.stringMatching(/too many open files.*ulimit -n/),
    },
  })
  expect((await createPayment(adapter)).status).toBe(503)

  disk.before = () => undefined
  await systemClock.advance(2000)
  expect((await health()).status).toBe(200)
  await systemClock.advance(2000)
  expect(await status()).toBe('succeeded')
  expect((await createPayment(adapter)).status).toBe(201)
})

async function callsOfOneRequest(durable: boolean): Promise<string[]> {
  const { adapter, disk } = await opened(memoryDisk(), durable)
  await createPayment(adapter)
  const from = disk.calls.length
  await createPayment(adapter)
  const calls = disk.calls.slice(from)
  await adapter.close()
  return calls
}

async function opened(disk: Disk, durable: boolean) {
  disk.port.remove(`${FOLDER}/lock`)
  const notices: string[] = []
  const notice = (text: string) => void notices.push(text)
  const sandbox = await frozenSandbox({ folder: FOLDER, durable, notice, store: { fs: disk.port } })
  const adapter: Adapter = {
    fetch: (path, init) => sandbox.fetch(new Request(`http://127.0.0.1:7770${path}`, init)),
    ...createArrangement(sandbox),
    close: () => sandbox.close(),
  }
  return { adapter, disk, notices }
}

/** Returns the ids of all payments. */
async function stored(adapter: Adapter): Promise<string[]> {
  const { body } = await get(adapter, '/_psp/payments', { key: null })
  return body.items.map(({ id }: { id: string }) => id)
}
