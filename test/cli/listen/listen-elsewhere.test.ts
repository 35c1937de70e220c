// A server on another host: the listener reaches it by the control API alone, and its receiver is on this machine.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { psp, startPsp, startReceiver, startTestServer, type TestReceiver, waitUntil } from '../helpers.ts'

const HOST = '127.0.0.2'
const TOKEN = 'token_of_the_other_host'
const SECRET = 'whs_of_the_other_host_0123456789'

let url: string
let app: TestReceiver
let close: () => Promise<void>

beforeEach(async () => {
  const rig = await startTestServer(
    {
      credentials: { api_key: 'sk_test_remote_0123456789abcdef', webhook_secret: SECRET },
      control: { token: TOKEN, host: HOST, loopback: false },
    },
    { host: HOST },
  )
  url = rig.url
  app = await startReceiver()
  close = async () => {
    await app.close()
    await rig.close()
  }
})
afterEach(() => close())

const withToken = () => ({ env: { PSP_URL: url, PSP_CONTROL_TOKEN: TOKEN } })

test('without the token: 3, and what to pass', async () => {
  const { code, stderr } = await psp(`listen --forward ${app.port}`, { env: { PSP_URL: url } })
  expect([code, stderr]).toEqual([3, expect.stringContaining('--control-token')])
  expect(stderr).not.toContain('psp keys create')
})

test('deliveries come, results go back, and the ladder applies', async () => {
  app.response = { status: 500, body: 'no database' }
  const running = startPsp(['listen', '--forward', String(app.port)], withToken())
  await waitUntil(() => running.errors().includes('Ready.'))
  await psp('trigger payment.succeeded', withToken())
  await waitUntil(() => running.output().includes('attempt 1 of 9, next in 10 s of frozen time'))
  app.response = { status: 200 }
  await psp('clock advance 10s', withToken())
  await waitUntil(() => running.output().includes('attempt 2 of 9'))
  const { items } = JSON.parse((await psp('webhooks deliveries list --json', withToken())).stdout)
  expect(items).toHaveLength(1)
  expect(items[0]).toMatchObject({ status: 'delivered', attempts: [{ status: 500 }, { status: 200 }] })
  expect(items[0].attempts[0].response.body).toBe('no database')
  expect(Date.parse(items[0].attempts[1].at) - Date.parse(items[0].attempts[0].at)).toBe(10_000)
  const header = String(app.headers[1]?.['x-psp-signature'])
  const body = app.bodies[1]?.toString() ?? ''
  const verified = await psp(['verify', '--secret', SECRET, '--signature', header, '-'], { stdin: body })
  expect(verified.code).toBe(0)
  running.signal('SIGINT')
  expect((await running.ended).code).toBe(0)
})
