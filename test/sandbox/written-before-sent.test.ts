// Acknowledged means written, at every adapter: what leaves tells of nothing that a crash at that moment would undo.
import { expect, test } from 'vitest'
import { createPayment, get, PAYMENTS, post } from '../contract/caller.ts'
import { openOnMemoryDisk, turns } from './fixtures.ts'

const FAILS = { headers: { 'X-PSP-Simulate': 'refused:do_not_honor' } }
const bare = { key: null }

/** Lines of the journal that a command wrote. */
const lines = (safe: string, command: string) => safe.split('\n').filter((line) => line.includes(`"${command}"`)).length

const MODES = [
  ['written', false],
  ['on the disk', true],
] as const

test.each(MODES)('webhooks leave when what they tell of is %s', async (_, durable) => {
  const { adapter, sandbox, of } = await openOnMemoryDisk(durable)
  await createPayment(adapter, { method: 'sbp' }, FAILS)
  await sandbox.idle()
  const [webhook, ...more] = of('webhook')
  expect(more).toEqual([])
  const { id } = JSON.parse(webhook?.text ?? '{}')
  expect(id).toMatch(/^evt_/)
  expect(webhook?.safe).toContain(id)
})

test.each(MODES)('a step and its webhook at one instant of an advance: %s first', async (_, durable) => {
  const { adapter, of } = await openOnMemoryDisk(durable)
  await createPayment(adapter, { method: 'sbp' })
  await post(adapter, '/_psp/clock/advance', { until: 'idle' }, bare)
  const [webhook] = of('webhook', 'payment.succeeded')
  expect(webhook?.safe).toContain(JSON.parse(webhook?.text ?? '{}').id)
})

test.each(MODES)('both streams, and that of a listener, tell what is %s, in order', async (_, durable) => {
  const { adapter, follow, of, told, safe } = await openOnMemoryDisk(durable)
  const { body: listener } = await post(adapter, '/_psp/listeners', { url: 'http://127.0.0.1:9/' }, bare)
  await follow('public stream', '/v1/public/events')
  await follow('control stream', '/_psp/stream')
  await follow('listener', `/_psp/listeners/${listener.id}/stream`)
  const ids: string[] = []
  for (let n = 0; n < 3; n++) ids.push((await createPayment(adapter)).body.payment.id)
  const made = await createPayment(adapter, {}, FAILS)
  await expect.poll(() => of('listener', made.body.payment.id).length).toBe(1)
  await turns()
  for (const by of ['public stream', 'control stream'] as const) {
    const whole = of(by)
      .map(({ text }) => text)
      .join('')
    const places = [...ids, made.body.payment.id].map((id) => whole.indexOf(id))
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(places[0]).toBeGreaterThan(0)
    expect(whole.match(/event: payment\.created|"change":"created"/g)).toHaveLength(4)
  }
  expect(told.filter(({ by }) => by !== 'webhook').length).toBeGreaterThan(3)
  for (const { text, safe: then } of told) {
    for (const id of text.match(/\b(?:evt|dlv)_\w+|[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? []) {
      // Ids of the shop and its kind are older than this run's journal.
      if (safe().includes(id)) expect(then, text).toContain(id)
    }
  }
})

test.each(MODES)('the public API answers when it is %s', async (_, durable) => {
  const { adapter, safe } = await openOnMemoryDisk(durable)
  const { body } = await createPayment(adapter)
  expect(safe()).toContain(body.payment.id)
  // A refusal may tell of a change as well as an answer does.
  const cancels = [1, 2].map(() =>
    post(adapter, `${PAYMENTS}/${body.payment.id}/cancel`).then(({ status }) => [
      status,
      lines(safe(), 'cancel_payment'),
    ]),
  )
  expect(await Promise.all(cancels)).toEqual([
    [200, 1],
    [409, 1],
  ])
})

test.each(MODES)('a fault that is counted, a key that is revoked: told when %s', async (_, durable) => {
  const { adapter, safe } = await openOnMemoryDisk(durable)
  const shop = `/_psp/shops/${adapter.shop.shop_id}`
  const { body: key } = await post(adapter, `${shop}/keys`, { mode: 'test' }, bare)
  await post(adapter, '/_psp/faults', { target: 'api', fault: 'status:502', times: 1 }, bare)
  const hit = createPayment(adapter).then(({ status }) => [status, lines(safe(), 'take_faults')])
  expect(await hit).toEqual([502, 1])
  const revoked = adapter.fetch(`/_psp/keys/${key.id}`, { method: 'DELETE' })
  await Promise.resolve()
  const asked = createPayment(adapter, {}, { key: key.api_key }).then(({ status }) => [
    status,
    lines(safe(), 'revoke_key'),
  ])
  expect((await revoked).status).toBe(204)
  expect(await asked).toEqual([401, 1])
})

test.each(MODES)('the control API answers when it is %s: retries, replays, tests, advances', async (_, durable) => {
  const { adapter, sandbox, safe, answers } = await openOnMemoryDisk(durable)
  answers(() => 500)
  const { body } = await createPayment(adapter, { method: 'sbp' }, FAILS)
  await sandbox.idle()
  const { body: before } = await get(adapter, `/_psp/deliveries?object_id=${body.payment.id}`, bare)
  const { id, event_id, endpoint_id } = before.items[0]
  const attempts = lines(safe(), 'record_attempt')
  answers(() => 200)
  const retried = await post(adapter, `/_psp/deliveries/${id}/retry`, undefined, bare)
  expect([retried.body.status, lines(safe(), 'record_attempt')]).toEqual(['delivered', attempts + 1])
  const replayed = await post(adapter, `/_psp/events/${event_id}/replay`, undefined, bare)
  expect([replayed.body.items[0].status, lines(safe(), 'record_attempt')]).toEqual(['delivered', attempts + 2])
  const tried = await post(adapter, `/_psp/endpoints/${endpoint_id}/test`, undefined, bare)
  expect([tried.body.status, lines(safe(), 'record_attempt')]).toEqual(['delivered', attempts + 3])

  await createPayment(adapter, { method: 'sbp' })
  const { body: advanced } = await post(adapter, '/_psp/clock/advance', { by: '2s' }, bare)
  expect(advanced.steps).toBeGreaterThan(0)
  const then = safe()
  await turns()
  expect(safe()).toBe(then)
})

test.each(MODES)('the page answers when it is %s, its status too', async (_, durable) => {
  const { adapter, safe } = await openOnMemoryDisk(durable)
  const { body } = await createPayment(adapter)
  const page = `/pay/${body.payment.id}`
  const opened = await adapter.fetch(page, { headers: { accept: 'text/html' } })
  const token = /name="token" value="([^"]+)"/.exec(await opened.text())?.[1] ?? ''
  const form = new URLSearchParams({ token, method: 'sbp' }).toString()
  const headers = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' }
  expect(safe()).not.toContain('"method":"sbp"')
  const chosen = adapter.fetch(`${page}/method`, { method: 'POST', redirect: 'manual', headers, body: form })
  expect((await chosen).status).toBe(303)
  expect(safe()).toContain('"method":"sbp"')
  void post(adapter, `${PAYMENTS}/${body.payment.id}/cancel`)
  const status = (await (await adapter.fetch(`${page}/status`)).json()) as { status: string }
  expect([status.status, lines(safe(), 'cancel_payment')]).toEqual(['cancelled', 1])
})
