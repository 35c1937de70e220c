// A replay is signed afresh, so that receivers take it; with --same-timestamp it is the very message of then.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DEFAULT_SHOP } from '../../src/domain/default-shop.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'
import { verifyWebhook } from '../../src/webhooks/index.ts'
import { jsonOf, psp, startReceiver, startTestServer, type TestReceiver } from './helpers.ts'

/** ms by which the machine's clock is ahead of the real one. */
let ahead = 0
let url = ''
let app: TestReceiver
let close: () => Promise<void>

beforeEach(async () => {
  ahead = 0
  const real = createSystemClock()
  const systemClock = { ...real, now: () => (real.now() + ahead) as ReturnType<typeof real.now> }
  const rig = await startTestServer({}, { systemClock })
  url = rig.url
  app = await startReceiver()
  close = async () => {
    await app.close()
    await rig.close()
  }
})
afterEach(() => close())

const run = (line: string) => psp(line, { env: { PSP_URL: url } })
const sent = (at: number) => ({
  signature: String(app.headers[at]?.['x-psp-signature']),
  time: Number(app.headers[at]?.['x-psp-timestamp']),
  body: app.bodies[at]?.toString() ?? '',
})

test('ten minutes later: fresh without it, the same bytes and header with it', async () => {
  const to = `http://127.0.0.1:${app.port}/hooks`
  const { event_id } = jsonOf(await run('trigger payment.succeeded --json')) as { event_id: string }
  expect((await run(`events replay ${event_id} --to ${to}`)).code).toBe(0)
  ahead = 600_000
  expect((await run(`events replay ${event_id} --to ${to}`)).code).toBe(0)
  expect((await run(`events replay ${event_id} --to ${to} --same-timestamp`)).code).toBe(0)

  const [first, fresh, same] = [sent(0), sent(1), sent(2)]
  expect([fresh.body, same.body]).toEqual([first.body, first.body])
  expect(fresh.time - first.time).toBeGreaterThanOrEqual(600)
  expect(fresh.signature).not.toBe(first.signature)
  expect([same.time, same.signature]).toEqual([first.time, first.signature])

  const now = first.time * 1000 + ahead
  const taken = ({ body, signature }: typeof first) =>
    verifyWebhook(body, { 'x-psp-signature': signature }, DEFAULT_SHOP.webhook_secret, { now })
  expect(taken(fresh)).toMatchObject({ valid: true })
  expect(taken(same)).toMatchObject({ valid: false, message: expect.stringContaining('replay') })
})
