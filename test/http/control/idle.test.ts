// GET /_psp/clock/idle: when it responds, and the content of its response.
import { expect, it } from 'vitest'
import { START } from '../../engine/bench-world.ts'
import { manualSystemClock } from '../../time/manual-system-clock.ts'
import { openSandbox } from '../fixtures.ts'

const at = (ms: number) => new Date(START + ms).toISOString()

/** A sandbox whose receiver fails `failures` times, with one paid payment. */
async function failingReceiver(mode: 'real' | 'frozen', failures: number) {
  const systemClock = manualSystemClock(START)
  let left = failures
  const box = await openSandbox({
    systemClock,
    clock: { mode },
    endpoints: ['http://127.0.0.1:9/hooks'],
    transport: async () => ({ status: left-- > 0 ? 500 : 200 }),
  })
  const id = await box.pay()
  await box.post(`/payments/${id}/act`, { action: 'pay' })
  await systemClock.advance(1)
  return { ...box, systemClock }
}

it('the response on a running clock is sent once the retries of a webhook have ended', async () => {
  const { get, systemClock } = await failingReceiver('real', 2)
  let isOver = false
  const idle = get('/clock/idle').finally(() => {
    isOver = true
  })
  await systemClock.advance(69_000)
  expect(isOver).toBe(false)
  await systemClock.advance(2000)
  expect((await idle).body).toMatchObject({ mode: 'real', idle: true, waiting: 0, due: [] })
  expect((await get('/deliveries')).body.items[0]).toMatchObject({ status: 'delivered', attempts: [{}, {}, {}] })
})

it('the response is also sent if the state is reset during the wait', async () => {
  const { get, post, systemClock } = await failingReceiver('real', 2)
  const idle = get('/clock/idle')
  await systemClock.advance(1000)
  expect((await post('/reset', {})).status).toBe(200)
  await systemClock.advance(1000)
  expect(await idle).toMatchObject({ status: 200, body: { idle: true, waiting: 0 } })
})

it('the response on a frozen clock is immediate, and lists the steps that are due later', async () => {
  const { get } = await failingReceiver('frozen', 2)
  const delivery = (await get('/deliveries')).body.items[0].id
  const { body } = await get('/clock/idle')
  expect(body).toMatchObject({
    mode: 'frozen',
    now: at(0),
    next_due: at(10_000),
    idle: false,
    waiting: 1,
    due: [{ due: at(10_000), step: 'deliver', object_id: delivery }],
  })
  expect(body.message).toBe(
    `The clock is frozen, so 1 step waits. The first is due at ${at(10_000)}. POST /_psp/clock/advance {"until":"idle"} runs it.`,
  )
})

it('the response on a frozen clock lists the first 20 steps in order, without expiries, and counts all', async () => {
  const { get, pay, post } = await openSandbox({ clock: { mode: 'frozen', now: START } })
  for (let i = 0; i < 25; i++) await pay()
  const { body } = await get('/clock/idle')
  expect(body).toMatchObject({ idle: false, waiting: 25 })
  expect(body.due).toHaveLength(20)
  expect(new Set(body.due.map(({ step }: { step: string }) => step)).size).toBe(1)
  expect(body.due.map(({ due }: { due: string }) => due)).toEqual(
    body.due.map(({ due }: { due: string }) => due).toSorted(),
  )
  expect(body.message).toContain('25 steps wait')
  await post('/clock/advance', { until: 'idle' })
  const { body: after } = await get('/clock/idle')
  expect(after).toMatchObject({ idle: true, waiting: 0, due: [] })
  expect(after).not.toHaveProperty('message')
})

it('a step that waits behind the expiry of its payment is listed', async () => {
  const { get, pay, patch } = await openSandbox({ clock: { mode: 'frozen', now: START } })
  await patch('/settings', { 'delays.session': '2d', link_ttl: '1d' })
  const id = await pay({ method: 'sbp' })
  expect((await get('/clock/idle')).body).toMatchObject({ idle: false, due: [{ object_id: id }] })
})
