// What `psp trigger` tells beside the ids: steps by what they do, the handler's answers, a clock that was moved.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startReceiver, startTestServer, type TestReceiver, type TestServer } from './helpers.ts'

let rig: TestServer
let app: TestReceiver
beforeAll(async () => {
  rig = await startTestServer({ clock: { mode: 'real' } })
  app = await startReceiver()
  await rig.psp(`webhooks endpoints create http://127.0.0.1:${app.port}/hooks`)
})
afterAll(async () => {
  await app.close()
  await rig.close()
})

test('steps without a name are called by what they do', async () => {
  const { stdout } = await rig.psp('trigger partial-refunds')
  expect(stdout).toMatch(/^ok {4}pay {9}payments\.pay /m)
  expect(stdout).toMatch(/^ok {4}refund {6}payments\.refund /m)
  expect(stdout).not.toMatch(/^ok {4}\d/m)
})

test('the answer to each webhook is told', async () => {
  app.response = { status: 418 }
  const { stderr } = await rig.psp('trigger paid')
  app.response = { status: 200 }
  expect(stderr).toContain(`payment.succeeded to http://127.0.0.1:${app.port}/hooks: 418 (waiting)`)
  expect((await rig.psp('trigger paid')).stderr).toContain('/hooks: 200 (delivered)')
})

test('both answers to a webhook that is delivered twice', async () => {
  const { stderr } = await rig.psp('trigger double-delivery')
  expect(stderr).toContain('/hooks: 200 and a copy 200 (delivered)')
  const { stdout } = await rig.psp('webhooks deliveries list --limit 1 --json')
  const [delivery] = JSON.parse(stdout).items
  expect(delivery.attempts[0].copies).toMatchObject([{ copy: 2, status: 200 }])
  expect((await rig.psp(`webhooks deliveries get ${delivery.id}`)).stdout).toMatch(/^copy 2 {2}200/m)
})

test('a clock that was moved is told, with the way back', async () => {
  const { stderr } = await rig.psp('trigger expired-link')
  expect(stderr).toContain('moved ahead: 24h. To go back, use `psp store snapshot NAME` before')
  expect((await rig.psp('trigger paid')).stderr).not.toContain('moved ahead')
})

test('the id of the event is told once', async () => {
  const { stdout } = await rig.psp('trigger payment.failed')
  const id = /evt_\w+/.exec(stdout)?.[0] ?? ''
  expect(stdout.split(id)).toHaveLength(2)
})
