import { afterEach, describe, expect, it } from 'vitest'
import { createSystemClock, type SystemClock } from '../../../src/system-clock/system-clock.ts'
import { type Rig, rig } from './fixtures.ts'

let pages: Rig
afterEach(() => pages.sandbox.close())

const SHOP = 'https://shop.example/done?cart=7#end'

async function finished(act: 'approve' | 'decline' | 'expire', return_url?: string): Promise<string> {
  const id = await pages.create({ method: 'sbp', ...(return_url === undefined ? {} : { return_url }) })
  await pages.post(id, 'act', { act })
  return id
}

const back = (id: string, method = 'GET') => pages.ask(`/pay/${id}/return`, { method, redirect: 'manual' })

// Spec 3.4
describe('the way back', () => {
  it.each([
    ['approve', 'succeeded', 2000],
    ['decline', 'failed', 0],
    ['expire', 'expired', 0],
  ] as const)('after %s', async (act, status, wait) => {
    pages = await rig()
    const id = await finished(act, SHOP)
    const page = await pages.open(id)
    expect(page).toContain(`data-return="${id}/return" data-return-after="${wait}"`)
    expect(page).toContain(`<noscript><meta http-equiv="refresh" content="${wait / 1000};url=${id}/return">`)
    const response = await back(id)
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe(
      `https://shop.example/done?cart=7&payment_id=${id}&status=${status}#end`,
    )
  })

  it('does not exist without return_url, nor before the end', async () => {
    pages = await rig()
    const stays = await finished('approve')
    expect(await pages.open(stays)).not.toContain('data-return')
    expect((await back(stays)).headers.get('location')).toBe(`../${stays}`)
    const pending = await pages.create({ return_url: SHOP })
    expect(await pages.open(pending)).not.toContain('data-return')
    expect((await back(pending)).headers.get('location')).toBe(`../${pending}`)
  })
})

describe('faults of the way back', () => {
  it('drop: the buyer stays, and the page says why', async () => {
    pages = await rig()
    const id = await pages.create({ method: 'sbp', return_url: SHOP })
    await pages.post(id, 'order', { order: 'never' })
    await pages.post(id, 'act', { act: 'approve' })
    expect((await back(id, 'HEAD')).headers.get('location')).toContain('shop.example')
    const response = await back(id)
    expect(response.headers.get('location')).toBe(`../${id}?stay=dropped`)
    const page = await pages.open(id, '?stay=dropped')
    expect(page).toContain('this buyer never came back')
    expect(page).not.toContain('data-return=')
    // A second tab of the same payment.
    expect((await back(id)).headers.get('location')).toBe(`../${id}?stay=dropped`)
    expect(page).toContain(`href="${id}/return?by=hand"`)
    const pressed = await pages.ask(`/pay/${id}/return?by=hand`, { redirect: 'manual' })
    expect(pressed.headers.get('location')).toContain('shop.example')
  })

  it('delay: the buyer waits so long', async () => {
    const waits: number[] = []
    pages = await rig({ systemClock: hasty(waits) })
    const id = await finished('approve', SHOP)
    pages.sandbox.engine.execute('add_fault', { target: 'redirect', fault: 'delay:7s', match: { status: 'succeeded' } })
    expect((await back(id)).headers.get('location')).toContain('shop.example')
    expect(waits).toContain(7000)
  })

  it('removing the fault lets go of who waits', async () => {
    pages = await rig()
    const id = await finished('approve', SHOP)
    const fault = pages.sandbox.engine.execute('add_fault', { target: 'redirect', fault: 'delay:1h' })
    const waiting = back(id)
    await new Promise<void>((resolve) => createSystemClock().nextTurn(resolve))
    pages.sandbox.engine.execute('remove_faults', { id: fault.id })
    expect((await waiting).status).toBe(303)
  })
})

/** Timers of 7 s end at once, and are noted. */
function hasty(waits: number[]): SystemClock {
  const systemClock = createSystemClock()
  return {
    ...systemClock,
    setTimeout(fn, ms) {
      waits.push(ms)
      return systemClock.setTimeout(fn, ms === 7000 ? 0 : ms)
    },
  }
}
