// What people see of a delivery that was tried nine times.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startReceiver, startTestServer, type TestReceiver, type TestServer } from './helpers.ts'

let rig: TestServer
let app: TestReceiver
let id: string

beforeAll(async () => {
  rig = await startTestServer()
  app = await startReceiver()
  app.response = { status: 401, body: 'bad signature' }
  await rig.psp(`webhooks endpoints create http://127.0.0.1:${app.port}/hooks`)
  await rig.psp('trigger payment.failed')
  await rig.psp('clock advance --until-idle')
  id = JSON.parse((await rig.psp('webhooks deliveries list --json')).stdout).items[0].id
})
afterAll(async () => {
  await rig.close()
  await app.close()
})

const count = (text: string, part: string) => text.split(part).length - 1

test('the body is shown once, the advice at each attempt', async () => {
  const { stdout } = await rig.psp(`webhooks deliveries get ${id}`)
  expect(count(stdout, 'attempt ')).toBe(9)
  expect(count(stdout, '> {"id":"evt_')).toBe(1)
  expect(count(stdout, '> the same body as before')).toBe(8)
  expect(count(stdout, '> content-type')).toBe(1)
  expect(count(stdout, 'The receiver responded 401. Verify the raw')).toBe(9)
})

test('--last: the last attempt alone, whole', async () => {
  const { stdout } = await rig.psp(`webhooks deliveries get ${id} --last`)
  expect(stdout).toContain('attempt 9  ')
  expect([count(stdout, 'attempt '), count(stdout, '> {"id":"evt_'), count(stdout, '> content-type')]).toEqual([
    1, 1, 1,
  ])
})

test('a retry is told as a replay is', async () => {
  const [retried, replayed] = await Promise.all([
    rig.psp(`webhooks deliveries retry ${id}`),
    rig.psp('events replay --since 30d'),
  ])
  const head = (text: string) => text.split('\n')[0]?.split(/ {2,}/)
  expect(head(retried.stdout)).toEqual(['event', 'name', 'response', 'took', 'url'])
  expect(head(replayed.stdout)).toEqual(head(retried.stdout))
})
