import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  startListener,
  startReceiver,
  startTestServer,
  type TestReceiver,
  type TestServer,
  waitUntil,
} from '../helpers.ts'

let rig: TestServer
let app: TestReceiver

beforeEach(async () => {
  rig = await startTestServer()
  app = await startReceiver()
})
afterEach(async () => {
  await app.close()
  await rig.close()
})

const listen = (...flags: string[]) => startListener(rig, ...flags)

describe('two for one address', () => {
  test('the older one gives way and says so', async () => {
    const older = await listen('--forward', String(app.port))
    const newer = await listen('--forward', String(app.port))
    expect(newer.errors()).toContain(`Another psp listen forwarded to http://localhost:${app.port}. It stops`)
    const { code, stderr } = await older.ended
    expect(code).toBe(9)
    expect(stderr).not.toContain('Connection lost')
    expect(stderr).toContain('Another psp listen')
    await rig.psp('trigger payment.failed')
    await waitUntil(() => newer.output().includes('<-- 200'))
    newer.signal('SIGINT')
    await newer.ended
  })

  test('that want different events are two', async () => {
    const payments = await listen('--forward', String(app.port), '--events', 'payment.*')
    const payouts = await listen('--forward', String(app.port), '--events', 'payout.*')
    await rig.psp('trigger payment.failed')
    await rig.psp('trigger payout.failed')
    await waitUntil(() => payments.output().includes('<-- 200') && payouts.output().includes('<-- 200'))
    for (const running of [payments, payouts]) running.signal('SIGINT')
    expect((await payments.ended).stdout).not.toContain('payout')
    expect((await payouts.ended).stdout).not.toContain('payment.')
    expect(app.bodies).toHaveLength(2)
  })
})
