// An advance of the clock that is in progress when the state is replaced ends, and so do the calls that wait behind it.
import { describe, expect, test } from 'vitest'
import type { Transport } from '../../src/receiver-client/transport.ts'
import { createPayment } from '../contract/caller.ts'
import { openReplaceable, REPLACEMENTS, turns } from './fixtures.ts'

const never: Transport = () => new Promise(() => {})
const endpoints = ['http://127.0.0.1:9/hooks']

describe.each(REPLACEMENTS)('%s', (way) => {
  test.each(['frozen', 'real'] as const)('a %s clock: an advance in progress moves no further', async (mode) => {
    const { adapter, control, keep, replace, systemClock } = await openReplaceable({
      clock: { mode },
      endpoints,
      transport: never,
    })
    await keep()
    await createPayment(adapter, { method: 'sbp' })
    const advance = control('POST', '/clock/advance', { by: '3d' })
    const behind = [control('POST', '/clock/advance', { by: '1h' }), control('POST', '/clock', { mode: 'frozen' })]
    await turns()
    const reached = Date.parse((await control('GET', '/clock')).body.now)
    expect(await replace(way)).toBe(200)
    for (const reply of [await advance, ...(await Promise.all(behind))]) {
      expect([reply.status, reply.body.error.code]).toEqual([409, 'sandbox_reset'])
    }
    const clock = (await control('GET', '/clock')).body
    expect(clock.mode).toBe(way === 'reset with all' ? 'real' : mode)
    expect(Date.parse(clock.now)).toBeLessThanOrEqual(reached)
    if (way === 'reset') expect(Date.parse(clock.now)).toBe(reached)
    await systemClock.advance(60_000)
    const later = Date.parse((await control('GET', '/clock')).body.now)
    expect(later - Date.parse(clock.now)).toBe(clock.mode === 'real' ? 60_000 : 0)
  })

  test('the next advance after the replacement runs', async () => {
    const { adapter, control, keep, replace } = await openReplaceable({ endpoints, transport: never })
    await keep()
    await createPayment(adapter, { method: 'sbp' })
    const advance = control('POST', '/clock/advance', { by: '3d' })
    await turns()
    await replace(way)
    await advance
    const before = Date.parse((await control('GET', '/clock')).body.now)
    const { status, body } = await control('POST', '/clock/advance', { by: '1h' })
    expect(status).toBe(200)
    expect(Date.parse(body.now) - before).toBeGreaterThanOrEqual(3_600_000)
    expect(body.steps).toBe(0)
  })

  test('a call that waits for idle gets its response', async () => {
    const { adapter, control, keep, replace } = await openReplaceable({ clock: { mode: 'real' } })
    await keep()
    await createPayment(adapter, { method: 'sbp' })
    const idle = control('GET', '/clock/idle')
    await turns()
    await replace(way)
    expect((await idle).body).toMatchObject({ idle: true })
  })
})
