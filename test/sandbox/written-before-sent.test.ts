// Responses, webhooks and stream messages contain only changes that a crash at that moment would not undo.
import { expect, test } from 'vitest'
import { createPayment, get, PAYMENTS, post } from '../contract/caller.ts'
import { openOnMemoryDisk, turns } from './fixtures.ts'

const FAILS = { headers: { 'X-PSP-Simulate': 'refused:do_not_honor' } }
const bare = { key: null }

/** Counts the journal lines of a command. */
const lines = (journalText: string, command: string) =>
  journalText.split('\n').filter((line) => line.includes(`"${command}"`)).length

const MODES = [
  ['written', false],
  ['synced', true],
] as const

test.each(MODES)('a webhook is sent once its event is %s', async (_, durable) => {
  const { adapter, sandbox, sentBy } = await openOnMemoryDisk(durable)
  await createPayment(adapter, { method: 'sbp' }, FAILS)
  await sandbox.idle()
  const [webhook, ...more] = sentBy('webhook')
  expect(more).toEqual([])
  const { id } = JSON.parse(webhook?.text ?? '{}')
  expect(id).toMatch(/^evt_/)
  expect(webhook?.journalText).toContain(id)
})

test.each(MODES)('a webhook of an advance is sent once its step is %s', async (_, durable) => {
  const { adapter, sentBy } = await openOnMemoryDisk(durable)
  await createPayment(adapter, { method: 'sbp' })
  await post(adapter, '/_psp/clock/advance', { until: 'idle' }, bare)
  const [webhook] = sentBy('webhook', 'payment.succeeded')
  expect(webhook?.journalText).toContain(JSON.parse(webhook?.text ?? '{}').id)
})

test.each(MODES)('all streams send changes in order, once they are %s', async (_, durable) => {
  const { adapter, follow, sentBy, sent, journalText } = await openOnMemoryDisk(durable)
  const { body: listener } = await post(adapter, '/_psp/listeners', { url: 'http://127.0.0.1:9/' }, bare)
  await follow('public stream', '/v1/public/events')
  await follow('control stream', '/_psp/stream')
  await follow('listener', `/_psp/listeners/${listener.id}/stream`)
  const ids: string[] = []
  for (let n = 0; n < 3; n++) ids.push((await createPayment(adapter)).body.payment.id)
  const made = await createPayment(adapter, {}, FAILS)
  await expect.poll(() => sentBy('listener', made.body.payment.id).length).toBe(1)
  await turns()
  for (const by of ['public stream', 'control stream'] as const) {
    const whole = sentBy(by)
      .map(({ text }) => text)
      .join('')
    const places = [...ids, made.body.payment.id].map((id) => whole.indexOf(id))
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(places[0]).toBeGreaterThan(0)
    expect(whole.match(/event: payment\.created|"change":"created"/g)).toHaveLength(4)
  }
  expect(sent.filter(({ by }) => by !== 'webhook').length).toBeGreaterThan(3)
  for (const { text, journalText: then } of sent) {
    for (const id of text.match(/\b(?:evt|dlv)_\w+|[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? []) {
      // The journal does not contain older ids, such as that of the shop.
      if (journalText().includes(id)) expect(then, text).toContain(id)
    }
  }
})

test.each(MODES)('the public API responds once its change is %s', async (_, durable) => {
  const { adapter, journalText } = await openOnMemoryDisk(durable)
  const { body } = await createPayment(adapter)
  expect(journalText()).toContain(body.payment.id)
  // An error can depend on a change, too.
  const cancels = [1, 2].map(() =>
    post(adapter, `${PAYMENTS}/${body.payment.id}/cancel`).then(({ status }) => [
      status,
      lines(journalText(), 'cancel_payment'),
    ]),
  )
  expect(await Promise.all(cancels)).toEqual([
    [200, 1],
    [409, 1],
  ])
})

test.each(MODES)('responses show a counted fault and a revoked key once they are %s', async (_, durable) => {
  const { adapter, journalText } = await openOnMemoryDisk(durable)
  const shop = `/_psp/shops/${adapter.shop.shop_id}`
  const { body: key } = await post(adapter, `${shop}/keys`, { mode: 'test' }, bare)
  await post(adapter, '/_psp/faults', { target: 'api', fault: 'status:502', times: 1 }, bare)
  const hit = createPayment(adapter).then(({ status }) => [status, lines(journalText(), 'consume_faults')])
  expect(await hit).toEqual([502, 1])
  const revoked = adapter.fetch(`/_psp/keys/${key.id}`, { method: 'DELETE' })
  await Promise.resolve()
  const asked = createPayment(adapter, {}, { key: key.api_key }).then(({ status }) => [
    status,
    lines(journalText(), 'revoke_key'),
  ])
  expect((await revoked).status).toBe(204)
  expect(await asked).toEqual([401, 1])
})

test.each(MODES)(
  'the control API responds to retries, replays, tests and advances once they are %s',
  async (_, durable) => {
    const { adapter, sandbox, journalText, respondWith } = await openOnMemoryDisk(durable)
    respondWith(() => 500)
    const { body } = await createPayment(adapter, { method: 'sbp' }, FAILS)
    await sandbox.idle()
    const { body: before } = await get(adapter, `/_psp/deliveries?object_id=${body.payment.id}`, bare)
    const { id, event_id, endpoint_id } = before.items[0]
    const attempts = lines(journalText(), 'record_attempt')
    respondWith(() => 200)
    const retried = await post(adapter, `/_psp/deliveries/${id}/retry`, undefined, bare)
    expect([retried.body.status, lines(journalText(), 'record_attempt')]).toEqual(['delivered', attempts + 1])
    const replayed = await post(adapter, `/_psp/events/${event_id}/replay`, undefined, bare)
    expect([replayed.body.items[0].status, lines(journalText(), 'record_attempt')]).toEqual(['delivered', attempts + 2])
    const tried = await post(adapter, `/_psp/endpoints/${endpoint_id}/test`, undefined, bare)
    expect([tried.body.status, lines(journalText(), 'record_attempt')]).toEqual(['delivered', attempts + 3])

    await createPayment(adapter, { method: 'sbp' })
    const { body: advanced } = await post(adapter, '/_psp/clock/advance', { by: '2s' }, bare)
    expect(advanced.steps).toBeGreaterThan(0)
    const then = journalText()
    await turns()
    expect(journalText()).toBe(then)
  },
)

test.each(MODES)('the payment page and its status show a change once it is %s', async (_, durable) => {
  const { adapter, journalText } = await openOnMemoryDisk(durable)
  const { body } = await createPayment(adapter)
  const page = `/pay/${body.payment.id}`
  const opened = await adapter.fetch(page, { headers: { accept: 'text/html' } })
  const token = /name="token" value="([^"]+)"/.exec(await opened.text())?.[1] ?? ''
  const form = new URLSearchParams({ token, method: 'sbp' }).toString()
  const headers = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' }
  expect(journalText()).not.toContain('"method":"sbp"')
  const paid = adapter.fetch(`${page}/pay`, { method: 'POST', redirect: 'manual', headers, body: form })
  expect((await paid).status).toBe(303)
  expect(journalText()).toContain('"method":"sbp"')
  const other = (await createPayment(adapter)).body.payment.id
  void post(adapter, `${PAYMENTS}/${other}/cancel`)
  const status = (await (await adapter.fetch(`/pay/${other}/status`)).json()) as { status: string }
  expect([status.status, lines(journalText(), 'cancel_payment')]).toEqual(['cancelled', 1])
})
