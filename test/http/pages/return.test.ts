import { afterEach, describe, expect, it } from 'vitest'
import { createSystemClock, type SystemClock } from '../../../src/system-clock/system-clock.ts'
import { createPageFixture, type PageFixture } from './fixtures.ts'

let pages: PageFixture
afterEach(() => pages.sandbox.close())

const SHOP = 'https://shop.example/done?cart=7#end'

async function finished(act: 'approve' | 'decline' | 'expire', return_url?: string): Promise<string> {
  const id = await pages.create({ method: 'sbp', ...(return_url === undefined ? {} : { return_url }) })
  await pages.post(id, 'act', { act })
  return id
}

const back = (id: string, method = 'GET') => pages.ask(`/pay/${id}/return`, { method, redirect: 'manual' })

// Spec 3.4
describe('the return to the shop', () => {
  it.each([
    ['approve', 'succeeded', 2000],
    ['decline', 'failed', 0],
    ['expire', 'expired', 0],
  ] as const)('the action %s leads to the status %s, and the page returns after %d ms', async (act, status, wait) => {
    pages = await createPageFixture()
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

  it('the return leads to the page without a return_url and before the payment is final', async () => {
    pages = await createPageFixture()
    const stays = await finished('approve')
    expect(await pages.open(stays)).not.toContain('data-return')
    expect((await back(stays)).headers.get('location')).toBe(`../${stays}`)
    const pending = await pages.create({ return_url: SHOP })
    expect(await pages.open(pending)).not.toContain('data-return')
    expect((await back(pending)).headers.get('location')).toBe(`../${pending}`)
  })
})

describe('faults of the return', () => {
  it('the fault drop keeps the buyer on the page, which shows the reason', async () => {
    pages = await createPageFixture()
    const id = await pages.create({ method: 'sbp', return_url: SHOP })
    await pages.post(id, 'order', { order: 'never' })
    await pages.post(id, 'act', { act: 'approve' })
    expect((await back(id, 'HEAD')).headers.get('location')).toContain('shop.example')
    const response = await back(id)
    expect(response.headers.get('location')).toBe(`../${id}?stay=dropped`)
    const page = await pages.open(id, '?stay=dropped')
    expect(page).toContain('the buyer did not come back')
    expect(page).not.toContain('data-return=')
    // A second tab of the same payment does not return either.
    expect((await back(id)).headers.get('location')).toBe(`../${id}?stay=dropped`)
    expect(page).toContain(`href="${id}/return?by=hand"`)
    const pressed = await pages.ask(`/pay/${id}/return?by=hand`, { redirect: 'manual' })
    expect(pressed.headers.get('location')).toContain('shop.example')
  })

  it('the fault delay delays the return', async () => {
    const waits: number[] = []
    pages = await createPageFixture({ systemClock: hasty(waits) })
    const id = await finished('approve', SHOP)
    pages.sandbox.engine.execute('add_fault', { target: 'redirect', fault: 'delay:7s', match: { status: 'succeeded' } })
    expect((await back(id)).headers.get('location')).toContain('shop.example')
    expect(waits).toContain(7000)
  })

  it('removing the fault releases a buyer who waits', async () => {
    pages = await createPageFixture()
    const id = await finished('approve', SHOP)
    const fault = pages.sandbox.engine.execute('add_fault', { target: 'redirect', fault: 'delay:1h' })
    const waiting = back(id)
    await new Promise<void>((resolve) => createSystemClock().nextTurn(resolve))
    pages.sandbox.engine.execute('remove_faults', { id: fault.id })
    expect((await waiting).status).toBe(303)
  })
})

/** Records timers of 7 s and ends them at once. */
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
