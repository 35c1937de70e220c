// `psp listen` with a remote server, with another listener, and with a state that is replaced.

import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import {
  jsonOf,
  psp,
  startListener,
  startPsp,
  startReceiver,
  startTestServer,
  type TestReceiver,
  waitUntil,
} from '../helpers.ts'
import { setUpListen } from './fixtures.ts'

/** Starts an application that holds each response until the test ends it. */
async function startHoldingApp() {
  const held: ServerResponse[] = []
  const app = createServer((request, response) => void request.resume().on('end', () => held.push(response)))
  await new Promise<void>((resolve) => void app.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    app.closeAllConnections()
    app.close()
  })
  return { held, address: `localhost:${(app.address() as AddressInfo).port}/hooks` }
}

describe('a server on another host', () => {
  const HOST = '127.0.0.2'
  const TOKEN = 'token_of_the_other_host'
  const SECRET = 'whs_of_the_other_host_0123456789'

  let url: string
  let app: TestReceiver
  let close: () => Promise<void>

  beforeEach(async () => {
    const testServer = await startTestServer(
      {
        credentials: { api_key: 'sk_test_remote_0123456789abcdef', webhook_secret: SECRET },
        control: { token: TOKEN, host: HOST, loopback: false },
      },
      { host: HOST },
    )
    url = testServer.url
    app = await startReceiver()
    close = async () => {
      await app.close()
      await testServer.close()
    }
  })
  afterEach(() => close())

  const withToken = () => ({ env: { PSP_URL: url, PSP_CONTROL_TOKEN: TOKEN } })

  test('`psp listen` without the token exits with 3 and names the flag', async () => {
    const { code, stderr } = await psp(`listen --forward ${app.port}`, { env: { PSP_URL: url } })
    expect([code, stderr]).toEqual([3, expect.stringContaining('--control-token')])
    expect(stderr).not.toContain('psp keys create')
  })

  test('a remote listener receives deliveries and reports results, and the retry schedule applies', async () => {
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
})

const setup = setUpListen()

describe('two listeners for one address', () => {
  test('the older of two listeners for one address stops and says so', async () => {
    const older = await setup.listen('--forward', String(setup.receiver.port))
    const newer = await setup.listen('--forward', String(setup.receiver.port))
    expect(newer.errors()).toContain(
      `Another psp listen forwarded to http://localhost:${setup.receiver.port}. It stops`,
    )
    const { code, stderr } = await older.ended
    expect(code).toBe(9)
    expect(stderr).not.toContain('Connection lost')
    expect(stderr).toContain('Another psp listen')
    await setup.server.psp('trigger payment.failed')
    await waitUntil(() => newer.output().includes('<-- 200'))
    newer.signal('SIGINT')
    await newer.ended
  })

  test('a replay during which another listener takes over waits for the response to the second forward', async () => {
    const { held, address } = await startHoldingApp()
    const { event_id } = jsonOf(await setup.server.psp('trigger payment.failed --json')) as { event_id: string }
    const older = await setup.listen('--forward', address)
    const replay = setup.server.startPsp(['events', 'replay', event_id])
    await waitUntil(() => held.length === 1)
    const newer = await setup.listen('--forward', address)
    await waitUntil(() => held.length === 2)
    for (const response of held) response.end()
    const { code, stdout, stderr } = await replay.ended
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(new RegExp(`^${event_id} +payment\\.failed +200 `, 'm'))
    expect((await older.ended).stderr).not.toContain('could not be reported')
    newer.signal('SIGINT')
    await newer.ended
  })

  test('two listeners for one address with different events both run', async () => {
    const payments = await setup.listen('--forward', String(setup.receiver.port), '--events', 'payment.*')
    const payouts = await setup.listen('--forward', String(setup.receiver.port), '--events', 'payout.*')
    await setup.server.psp('trigger payment.failed')
    await setup.server.psp('trigger payout.failed')
    await waitUntil(() => payments.output().includes('<-- 200') && payouts.output().includes('<-- 200'))
    for (const running of [payments, payouts]) running.signal('SIGINT')
    expect((await payments.ended).stdout).not.toContain('payout')
    expect((await payouts.ended).stdout).not.toContain('payment.')
    expect(setup.receiver.bodies).toHaveLength(2)
  })
})

test('after `store reset --all`, a listener reports that only new webhooks are forwarded', async () => {
  const running = await setup.listen('--forward', String(setup.receiver.port))
  await setup.server.psp('store reset --all')
  await waitUntil(() => running.errors().includes('Connected again'))
  await setup.server.psp('trigger payment.failed')
  await waitUntil(() => running.output().includes('<-- 200'))
  running.signal('SIGINT')
  const { stderr } = await running.ended
  expect(stderr.split('\n').filter((line) => line.includes('Connect'))).toEqual([
    'Connection lost (the state of the sandbox was replaced). Reconnecting.',
    'Connected again. The server no longer had this listener, so only new webhooks are forwarded.',
  ])
})

test('a response that cannot be reported is a warning of whole sentences', async () => {
  const testServer = await startTestServer()
  const { held, address } = await startHoldingApp()
  const running = await startListener(testServer, '--forward', address)
  await testServer.psp('trigger payment.failed')
  await waitUntil(() => held.length === 1)
  await testServer.close()
  held[0]?.end()
  await waitUntil(() => running.errors().includes('The webhook will be sent again.'))
  expect(running.errors()).toMatch(/The response could not be reported: .+[a-z)]\. The webhook will be sent again\./)
  running.signal('SIGINT')
  await running.ended
})

test('the response to a webhook from before a restore does not count for the webhook after it', async () => {
  const testServer = await startTestServer()
  const { held, address } = await startHoldingApp()
  onTestFinished(testServer.close)
  const running = await startListener(testServer, '--forward', address)
  await testServer.psp('trigger payment.failed')
  await waitUntil(() => held.length === 1)
  await testServer.psp('store snapshot before')
  await testServer.psp('store restore before')
  await waitUntil(() => held.length === 2)
  held[0]?.writeHead(500).end()
  await waitUntil(() => running.output().includes('<-- 500'))
  held[1]?.writeHead(200).end()
  await waitUntil(() => running.output().includes('<-- 200'))
  const { items } = JSON.parse((await testServer.psp('webhooks deliveries list --json')).stdout)
  expect(items).toMatchObject([{ status: 'delivered', attempts: [{ number: 1, status: 200 }] }])
  expect(running.errors()).not.toContain('could not be reported')
  running.signal('SIGINT')
  expect((await running.ended).code).toBe(0)
})
