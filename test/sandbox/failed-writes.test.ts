// A commit whose write fails is undone. No webhook, stream message or response contains it.
import { expect, test } from 'vitest'
import type { WallTime } from '../../src/domain/time.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'
import { createPayment, get, PAYMENTS, post } from '../contract/caller.ts'
import { openOnMemoryDisk, turns } from './fixtures.ts'

const FAILS = { headers: { 'X-PSP-Simulate': 'refused:do_not_honor' } }
const bare = { key: null }
const UNAVAILABLE = [503, 'storage_unavailable']

const MODES = [
  ['write', false],
  ['sync', true],
] as const

test.each(MODES)('no webhook and no stream message is sent if a %s fails', async (_, durable) => {
  const { adapter, follow, sentBy, failWrites } = await openOnMemoryDisk(durable)
  await follow('public stream', '/v1/public/events')
  await follow('control stream', '/_psp/stream')
  await turns()
  const quiet = sentBy('control stream').length
  failWrites()
  const made = await createPayment(adapter, { method: 'sbp' }, FAILS)
  expect([made.status, made.body.error.code]).toEqual(UNAVAILABLE)
  await turns()
  expect(sentBy('webhook')).toEqual([])
  expect(sentBy('public stream', 'payment')).toEqual([])
  expect(
    sentBy('control stream')
      .slice(quiet)
      .map(({ text }) => /^event: (\w+)/m.exec(text)?.[1]),
  ).toEqual(['request'])
})

test('streams and receivers get each new change once after writes succeed again', async () => {
  const { adapter, sandbox, follow, sentBy, failWrites, allowWrites } = await openOnMemoryDisk(false)
  await follow('public stream', '/v1/public/events')
  failWrites()
  expect((await createPayment(adapter, { method: 'sbp' }, FAILS)).status).toBe(503)
  allowWrites()
  const { body } = await createPayment(adapter, { method: 'sbp' }, FAILS)
  await sandbox.idle()
  expect(sentBy('webhook').map(({ text }) => JSON.parse(text).data.id)).toEqual([body.payment.id])
  expect(sentBy('public stream', 'payment.created')).toHaveLength(1)
})

test('a step whose write fails sends nothing, and its webhook is sent once after writes succeed again', async () => {
  const { adapter, sandbox, sentBy, failWrites, allowWrites } = await openOnMemoryDisk(false)
  const { body } = await createPayment(adapter, { method: 'sbp' })
  failWrites()
  const advanced = await post(adapter, '/_psp/clock/advance', { until: 'idle' }, bare)
  expect([advanced.status, advanced.body.error.code]).toEqual(UNAVAILABLE)
  expect(sentBy('webhook')).toEqual([])
  allowWrites()
  expect((await post(adapter, '/_psp/clock/advance', { until: 'idle' }, bare)).status).toBe(200)
  await sandbox.idle()
  expect((await get(adapter, `${PAYMENTS}/${body.payment.id}`)).body.status).toBe('succeeded')
  expect(sentBy('webhook', 'payment.succeeded')).toHaveLength(1)
})

test.each(MODES)('a retry is 503 and the delivery keeps waiting if the %s of its attempt fails', async (_, durable) => {
  const { adapter, sandbox, failWrites, respondWith } = await openOnMemoryDisk(durable)
  respondWith(() => 500)
  const { body } = await createPayment(adapter, { method: 'sbp' }, FAILS)
  await sandbox.idle()
  const { items } = (await get(adapter, `/_psp/deliveries?object_id=${body.payment.id}`, bare)).body
  const path = `/_psp/deliveries/${items[0].id}`
  respondWith(() => {
    failWrites()
    return 200
  })
  const retried = await post(adapter, `${path}/retry`, undefined, bare)
  expect([retried.status, retried.body.error?.code]).toEqual(UNAVAILABLE)
  const { body: delivery } = await get(adapter, path, bare)
  expect([delivery.status, delivery.attempts.length]).toEqual(['waiting', 1])
})

test.each(MODES)('an advance is 503 if any %s of it fails, and reads return the stored state', async (_, durable) => {
  const healthy = await openOnMemoryDisk(durable)
  await createPayment(healthy.adapter, { method: 'sbp' })
  await post(healthy.adapter, '/_psp/clock/advance', { by: '2s' }, bare)
  const { items } = (await get(healthy.adapter, '/_psp/payments', bare)).body
  let failures = 0
  for (let nth = 1; nth <= 6; nth++) {
    const { adapter, failWrites, sandbox } = await openOnMemoryDisk(durable)
    const { body } = await createPayment(adapter, { method: 'sbp' })
    const status = () =>
      get(adapter, `${PAYMENTS}/${body.payment.id}`).then(({ status, body }) => [status, body.status])
    failWrites(nth)
    const advanced = await post(adapter, '/_psp/clock/advance', { by: '2s' }, bare)
    const then = await status()
    await turns()
    expect(await status()).toEqual(then)
    expect(then[0]).toBe(200)
    if (advanced.status === 200) expect(then).toEqual([200, items[0].status])
    else {
      expect([advanced.status, advanced.body.error.code]).toEqual(UNAVAILABLE)
      failures++
    }
    await sandbox.close().catch(() => {})
  }
  expect(failures).toBeGreaterThan(1)
})

test.each(MODES)('a read during a failing %s is repeated and returns the stored state', async (_, durable) => {
  const { adapter, failWrites } = await openOnMemoryDisk(durable)
  const { body } = await createPayment(adapter)
  const one = `${PAYMENTS}/${body.payment.id}`
  failWrites()
  const cancelled = post(adapter, `${one}/cancel`)
  const reads = [get(adapter, one), get(adapter, one)]
  const list = get(adapter, '/_psp/payments', bare)
  const page = adapter.fetch(`/pay/${body.payment.id}/status`).then((response) => response.json())
  expect((await cancelled).status).toBe(503)
  for (const read of await Promise.all(reads)) expect([read.status, read.body.status]).toEqual([200, 'pending'])
  expect((await list).body.items).toMatchObject([{ status: 'pending' }])
  expect(await page).toMatchObject({ status: 'pending' })
})

test.each(MODES)('an error that depends on a failed %s becomes 503', async (_, durable) => {
  const { adapter, failWrites } = await openOnMemoryDisk(durable)
  const { body } = await createPayment(adapter)
  failWrites()
  const cancels = [1, 2].map(() => post(adapter, `${PAYMENTS}/${body.payment.id}/cancel`))
  expect((await Promise.all(cancels)).map(({ status }) => status)).toEqual([503, 503])
  const missing = post(adapter, '/_psp/payments/none/act', { action: 'expire' }, bare)
  expect((await missing).status).toBe(404)
})

test.each(MODES)('a form of the payment page responds with 503 if its %s fails', async (_, durable) => {
  const { adapter, failWrites } = await openOnMemoryDisk(durable)
  const { body } = await createPayment(adapter)
  const page = `/pay/${body.payment.id}`
  const opened = await adapter.fetch(page, { headers: { accept: 'text/html' } })
  const token = /name="token" value="([^"]+)"/.exec(await opened.text())?.[1] ?? ''
  failWrites()
  const paid = await adapter.fetch(`${page}/pay`, {
    method: 'POST',
    redirect: 'manual',
    headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ token, method: 'sbp' }).toString(),
  })
  expect(paid.status).toBe(503)
  const { items } = (await get(adapter, `/_psp/requests?path=${page}/pay`, bare)).body
  expect(items.map(({ status }: { status: number }) => status)).toEqual([503])
})

test('a commit is not acknowledged if another process takes over the data directory during its sync', async () => {
  const systemClock = createSystemClock()
  let ahead = 0
  const { adapter, disk } = await openOnMemoryDisk(true, {
    systemClock: { ...systemClock, now: () => (systemClock.now() + ahead) as WallTime },
  })
  disk.before = (call) => {
    if (!call.startsWith('datasync journal')) return undefined
    disk.before = () => undefined
    disk.port.remove('/home/.psp/lock')
    // The lock is checked again after a second.
    ahead = 1000
    return undefined
  }
  const made = await createPayment(adapter)
  expect([made.status, made.body.error?.code]).toEqual(UNAVAILABLE)
})

test.each(MODES)('idle resolves once all changes are written, and rejects if a %s fails', async (_, durable) => {
  const { adapter, sandbox, respondWith, failWrites, journalText } = await openOnMemoryDisk(durable)
  await createPayment(adapter, { method: 'sbp' }, FAILS)
  await sandbox.idle()
  expect(journalText()).toContain('"record_attempt"')
  let resolveStatus = (_: number) => {}
  const status = new Promise<number>((resolve) => {
    resolveStatus = resolve
  })
  respondWith(() => status)
  await createPayment(adapter, { method: 'sbp' }, FAILS)
  const idle = sandbox.idle()
  failWrites()
  resolveStatus(200)
  await expect(idle).rejects.toThrow(/could not be/)
})
