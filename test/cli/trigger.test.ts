// `psp trigger` prints its steps, the responses of receivers, and whether it moved the clock.
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  startListener,
  startReceiver,
  startTestServer,
  type TestReceiver,
  type TestServer,
  waitUntil,
} from './helpers.ts'

let testServer: TestServer
let app: TestReceiver
beforeAll(async () => {
  testServer = await startTestServer({ clock: { mode: 'real' } })
  app = await startReceiver()
  await testServer.psp(`webhooks endpoints create http://127.0.0.1:${app.port}/hooks`)
})
afterAll(async () => {
  await app.close()
  await testServer.close()
})

test('a step without a name is shown by its operation', async () => {
  const { stdout } = await testServer.psp('trigger partial-refunds')
  expect(stdout).toMatch(/^ok {4}pay {9}payments\.pay /m)
  expect(stdout).toMatch(/^ok {4}refund {6}payments\.refund /m)
  expect(stdout).not.toMatch(/^ok {4}\d/m)
})

test('`psp trigger` prints the response to each webhook', async () => {
  app.response = { status: 418 }
  const { stderr } = await testServer.psp('trigger paid')
  app.response = { status: 200 }
  expect(stderr).toContain(`payment.succeeded to http://127.0.0.1:${app.port}/hooks: 418 (waiting)`)
  expect((await testServer.psp('trigger paid')).stderr).toContain('/hooks: 200 (delivered)')
})

test('`psp trigger` prints both responses to a webhook that was sent twice', async () => {
  const { stderr } = await testServer.psp('trigger double-delivery')
  expect(stderr).toContain('/hooks: 200 and a copy 200 (delivered)')
  const { stdout } = await testServer.psp('webhooks deliveries list --limit 1 --json')
  const [delivery] = JSON.parse(stdout).items
  expect(delivery.attempts[0].copies).toMatchObject([{ copy: 2, status: 200 }])
  expect((await testServer.psp(`webhooks deliveries get ${delivery.id}`)).stdout).toMatch(/^copy 2 {2}200/m)
})

test('`psp trigger` reports that it moved the clock, and how to undo it', async () => {
  const { stderr } = await testServer.psp('trigger expired-link')
  expect(stderr).toContain('moved ahead: 24h. To go back, use `psp store snapshot NAME` before')
  expect((await testServer.psp('trigger paid')).stderr).not.toContain('moved ahead')
})

test('`psp trigger` prints the id of the event once', async () => {
  const { stdout } = await testServer.psp('trigger payment.failed')
  const id = /evt_\w+/.exec(stdout)?.[0] ?? ''
  expect(stdout.split(id)).toHaveLength(2)
})

test('`psp trigger` of an event names each object once and prints the response to each webhook', async () => {
  const { stdout, stderr } = await testServer.psp('trigger payment.refunded')
  expect(stdout).toMatch(
    /^event +payment\.refunded evt_\w+\nearlier events +evt_\w+\npayment +\S+\nrefund +\S+\nshop +\S+\n$/,
  )
  const ids = stdout.match(/evt_\w+/g) ?? []
  expect(new Set(ids).size).toBe(ids.length)
  expect(stderr).toContain(`payment.succeeded to http://127.0.0.1:${app.port}/hooks: 200 (delivered)`)
  expect(stderr).toContain(`payment.refunded to http://127.0.0.1:${app.port}/hooks: 200 (delivered)`)
})

test('`psp trigger` prints the message of an error that a step does not expect', async () => {
  const file = { name: 'story', steps: [{ do: 'payments.get', with: { id: 'pay_0' } }] }
  const { code, stdout } = await testServer.psp('trigger -', { stdin: JSON.stringify(file) })
  expect(code).toBe(8)
  expect(stdout).toMatch(/^fail .* not_found\n {6}\S.*pay_0/)
  expect(stdout).not.toContain('expected null')
})

test('`psp trigger` removes the faults of a scenario that a signal ends', async () => {
  const steps = [
    { id: 'hold', do: 'faults.add', with: { target: 'webhook', fault: 'hold' } },
    { do: 'wait', with: { event: 'payout.failed', timeout: '1h' } },
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference of the scenario
    { do: 'faults.remove', with: { id: '${hold.id}' } },
  ]
  const running = testServer.startPsp(['trigger', '-'], { stdin: JSON.stringify({ name: 'story', steps }) })
  await waitUntil(() => /^ok +hold /m.test(running.output()))
  expect((await testServer.psp('faults list')).stdout).toContain('hold')
  running.signal('SIGINT')
  expect((await running.ended).code).toBe(130)
  expect((await testServer.psp('faults list')).stdout).not.toContain('hold')
})

test('`psp trigger` removes the faults of a complete scenario that no webhook used', async () => {
  expect((await testServer.psp('trigger late-response')).code).toBe(0)
  expect((await testServer.psp('faults list')).stdout).not.toContain('late_response')
})

test('`psp trigger` refuses a file that is nested too deep', async () => {
  const deep = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`
  const stdin = `{"name":"x","steps":[{"do":"clock.get","with":${deep}}]}`
  const { code, stderr } = await testServer.psp('trigger -', { stdin })
  expect(code).toBe(2)
  expect(stderr).toContain('nested more than 64 levels deep')
})

test('before the first step, `psp trigger` names `psp listen` if no application receives the webhooks', async () => {
  const alone = await startTestServer({ clock: { mode: 'real' } })
  const note = 'Run `psp listen --forward URL` in another terminal first'
  const story = (fields: object) =>
    alone.psp('trigger -', {
      stdin: JSON.stringify({ name: 'story', steps: [{ do: 'payments.create', with: { amount: 100, ...fields } }] }),
    })
  expect((await story({})).stderr).toContain(note)
  expect((await story({ metadata: { webhook_url: `http://127.0.0.1:${app.port}` } })).stderr).not.toContain(note)
  expect((await testServer.psp('trigger paid')).stderr).not.toContain(note)
  const listener = await startListener(alone, '--forward', String(app.port))
  expect((await story({})).stderr).not.toContain(note)
  listener.signal('SIGINT')
  await listener.ended
  expect((await story({})).stderr).toContain(note)
  await alone.close()
})

test('`psp trigger` names the fault that remains if the server stops, and the command that removes it', async () => {
  const stopped = await startTestServer({ clock: { mode: 'real' } })
  const steps = [
    { id: 'hold', do: 'faults.add', with: { target: 'webhook', fault: 'hold' } },
    { do: 'wait', with: { event: 'payment.succeeded', timeout: '60s' } },
  ]
  const running = stopped.startPsp(['trigger', '-'], { stdin: JSON.stringify({ name: 'held', steps }) })
  await waitUntil(() => /^ok {4}hold/m.test(running.output()))
  await stopped.close()
  const { code, stderr } = await running.ended
  const [id = 'no id'] = /flt_\w+/.exec(running.output()) ?? []
  expect(code).toBe(6)
  expect(stderr).toContain(`The fault hold may remain. When the server runs, remove it: \`psp faults remove ${id}\`.`)
})

test('`psp trigger` of an event prints the responses to more webhooks than a page of the list has', async () => {
  const many = await startTestServer({ clock: { mode: 'real' } })
  const [shop] = many.sandbox.engine.world.rows('shops')
  for (let n = 0; n < 51; n++) {
    const url = `http://127.0.0.1:${app.port}/hooks/${n}`
    many.sandbox.engine.execute('create_endpoint', { shop_id: shop?.id ?? '', input: { url } })
  }
  const { stderr } = await many.psp('trigger payment.refunded')
  await many.close()
  expect(stderr.match(/^payment\.succeeded to /gm)).toHaveLength(51)
  expect(stderr.match(/^payment\.refunded to /gm)).toHaveLength(51)
})
