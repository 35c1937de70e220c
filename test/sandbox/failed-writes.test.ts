// What the disk refused is told to nobody: no webhook, no message of a stream, no answer of a read in between.
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

test.each(MODES)('a %s that is refused: no webhook leaves, no stream tells', async (_, durable) => {
  const { adapter, follow, of, refuse } = await openOnMemoryDisk(durable)
  await follow('public stream', '/v1/public/events')
  await follow('control stream', '/_psp/stream')
  await turns()
  const quiet = of('control stream').length
  refuse()
  const made = await createPayment(adapter, { method: 'sbp' }, FAILS)
  expect([made.status, made.body.error.code]).toEqual(UNAVAILABLE)
  await turns()
  expect(of('webhook')).toEqual([])
  expect(of('public stream', 'payment')).toEqual([])
  expect(
    of('control stream')
      .slice(quiet)
      .map(({ text }) => /^event: (\w+)/m.exec(text)?.[1]),
  ).toEqual(['request'])
})

test('after the disk took writes again, streams and receivers hear of what is made then, once', async () => {
  const { adapter, sandbox, follow, of, refuse, accept } = await openOnMemoryDisk(false)
  await follow('public stream', '/v1/public/events')
  refuse()
  expect((await createPayment(adapter, { method: 'sbp' }, FAILS)).status).toBe(503)
  accept()
  const { body } = await createPayment(adapter, { method: 'sbp' }, FAILS)
  await sandbox.idle()
  expect(of('webhook').map(({ text }) => JSON.parse(text).data.id)).toEqual([body.payment.id])
  expect(of('public stream', 'payment.created')).toHaveLength(1)
})

test('a step that is refused sends nothing; when writes succeed again it runs, and its webhook leaves once', async () => {
  const { adapter, sandbox, of, refuse, accept } = await openOnMemoryDisk(false)
  const { body } = await createPayment(adapter, { method: 'sbp' })
  refuse()
  const advanced = await post(adapter, '/_psp/clock/advance', { until: 'idle' }, bare)
  expect([advanced.status, advanced.body.error.code]).toEqual(UNAVAILABLE)
  expect(of('webhook')).toEqual([])
  accept()
  expect((await post(adapter, '/_psp/clock/advance', { until: 'idle' }, bare)).status).toBe(200)
  await sandbox.idle()
  expect((await get(adapter, `${PAYMENTS}/${body.payment.id}`)).body.status).toBe('succeeded')
  expect(of('webhook', 'payment.succeeded')).toHaveLength(1)
})

test.each(MODES)('a retry whose record the disk refused is 503, and the delivery waits on: %s', async (_, durable) => {
  const { adapter, sandbox, refuse, answers } = await openOnMemoryDisk(durable)
  answers(() => 500)
  const { body } = await createPayment(adapter, { method: 'sbp' }, FAILS)
  await sandbox.idle()
  const { items } = (await get(adapter, `/_psp/deliveries?object_id=${body.payment.id}`, bare)).body
  const path = `/_psp/deliveries/${items[0].id}`
  answers(() => {
    refuse()
    return 200
  })
  const retried = await post(adapter, `${path}/retry`, undefined, bare)
  expect([retried.status, retried.body.error?.code]).toEqual(UNAVAILABLE)
  const { body: delivery } = await get(adapter, path, bare)
  expect([delivery.status, delivery.attempts.length]).toEqual(['waiting', 1])
})

test.each(MODES)('an advance, whichever %s of it is refused: 503, and reads say what holds', async (_, durable) => {
  const healthy = await openOnMemoryDisk(durable)
  await createPayment(healthy.adapter, { method: 'sbp' })
  await post(healthy.adapter, '/_psp/clock/advance', { by: '2s' }, bare)
  const { items } = (await get(healthy.adapter, '/_psp/payments', bare)).body
  let refusals = 0
  for (let nth = 1; nth <= 6; nth++) {
    const { adapter, refuse, sandbox } = await openOnMemoryDisk(durable)
    const { body } = await createPayment(adapter, { method: 'sbp' })
    const status = () =>
      get(adapter, `${PAYMENTS}/${body.payment.id}`).then(({ status, body }) => [status, body.status])
    refuse(nth)
    const advanced = await post(adapter, '/_psp/clock/advance', { by: '2s' }, bare)
    const then = await status()
    await turns()
    expect(await status()).toEqual(then)
    expect(then[0]).toBe(200)
    if (advanced.status === 200) expect(then).toEqual([200, items[0].status])
    else {
      expect([advanced.status, advanced.body.error.code]).toEqual(UNAVAILABLE)
      refusals++
    }
    await sandbox.close().catch(() => {})
  }
  expect(refusals).toBeGreaterThan(1)
})

test.each(MODES)('a read beside a %s that is refused is made again: it says what holds', async (_, durable) => {
  const { adapter, refuse } = await openOnMemoryDisk(durable)
  const { body } = await createPayment(adapter)
  const one = `${PAYMENTS}/${body.payment.id}`
  refuse()
  const cancelled = post(adapter, `${one}/cancel`)
  const reads = [get(adapter, one), get(adapter, one)]
  const list = get(adapter, '/_psp/payments', bare)
  const page = adapter.fetch(`/pay/${body.payment.id}/status`).then((response) => response.json())
  expect((await cancelled).status).toBe(503)
  for (const read of await Promise.all(reads)) expect([read.status, read.body.status]).toEqual([200, 'pending'])
  expect((await list).body.items).toMatchObject([{ status: 'pending' }])
  expect(await page).toMatchObject({ status: 'pending' })
})

test.each(MODES)('a refusal that rests on a %s that is refused says so: 503', async (_, durable) => {
  const { adapter, refuse } = await openOnMemoryDisk(durable)
  const { body } = await createPayment(adapter)
  refuse()
  const cancels = [1, 2].map(() => post(adapter, `${PAYMENTS}/${body.payment.id}/cancel`))
  expect((await Promise.all(cancels)).map(({ status }) => status)).toEqual([503, 503])
  const missing = post(adapter, '/_psp/payments/none/act', { action: 'expire' }, bare)
  expect((await missing).status).toBe(404)
})

test.each(MODES)('the page of a form whose %s is refused says that it failed', async (_, durable) => {
  const { adapter, refuse } = await openOnMemoryDisk(durable)
  const { body } = await createPayment(adapter)
  const page = `/pay/${body.payment.id}`
  const opened = await adapter.fetch(page, { headers: { accept: 'text/html' } })
  const token = /name="token" value="([^"]+)"/.exec(await opened.text())?.[1] ?? ''
  refuse()
  const chosen = await adapter.fetch(`${page}/method`, {
    method: 'POST',
    redirect: 'manual',
    headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ token, method: 'sbp' }).toString(),
  })
  expect(chosen.status).toBe(503)
  const { items } = (await get(adapter, '/_psp/requests?path=/method', bare)).body
  expect(items.map(({ status }: { status: number }) => status)).toEqual([503])
})

test('a folder taken over while a sync runs: the commit is not acknowledged', async () => {
  const systemClock = createSystemClock()
  let ahead = 0
  const { adapter, disk } = await openOnMemoryDisk(true, {
    systemClock: { ...systemClock, now: () => (systemClock.now() + ahead) as WallTime },
  })
  disk.before = (call) => {
    if (!call.startsWith('datasync journal')) return undefined
    disk.before = () => undefined
    disk.port.remove('/home/.psp/lock')
    // Who looked at the lock a moment ago does not look again.
    ahead = 1000
    return undefined
  }
  const made = await createPayment(adapter)
  expect([made.status, made.body.error?.code]).toEqual(UNAVAILABLE)
})

test.each(MODES)('idle: what was done is written; where its %s is refused, it rejects', async (_, durable) => {
  const { adapter, sandbox, answers, refuse, safe } = await openOnMemoryDisk(durable)
  await createPayment(adapter, { method: 'sbp' }, FAILS)
  await sandbox.idle()
  expect(safe()).toContain('"record_attempt"')
  let answer = (_: number) => {}
  const answered = new Promise<number>((resolve) => {
    answer = resolve
  })
  answers(() => answered)
  await createPayment(adapter, { method: 'sbp' }, FAILS)
  const idle = sandbox.idle()
  refuse()
  answer(200)
  await expect(idle).rejects.toThrow(/could not be/)
})
