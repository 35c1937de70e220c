import { afterEach, describe, expect, it } from 'vitest'
import type { SandboxOptions } from '../../../src/sandbox.ts'
import { CARD, createPageFixture, type PageFixture } from './fixtures.ts'

let pages: PageFixture
afterEach(() => pages.sandbox.close())

async function start(options: SandboxOptions = {}): Promise<void> {
  pages = await createPageFixture(options)
}

const advance = (by: number) => pages.sandbox.timeline.advance({ by })

describe('opening the page', () => {
  it('opening the page disables the simulated buyer', async () => {
    await start()
    const [seen, unseen] = [await pages.create(), await pages.create()]
    await pages.open(seen)
    await advance(60_000)
    expect(await pages.status(seen)).toMatchObject({ status: 'pending', method: 'any', step: 'choose' })
    expect(await pages.status(unseen)).toMatchObject({ status: 'succeeded' })
  })

  it.each([{ accept: '*/*' }, {}])(
    'a request with the headers %j, such as that of curl, opens the page',
    async (headers) => {
      await start()
      const id = await pages.create()
      await pages.ask(`/pay/${id}`, { headers: headers as Record<string, string> })
      await advance(60_000)
      expect(await pages.status(id)).toMatchObject({ status: 'pending', step: 'choose' })
    },
  )

  it.each([
    ['HEAD', { accept: 'text/html' }],
    ['GET', { accept: 'application/json' }],
    ['GET', { accept: 'text/html', 'sec-purpose': 'prefetch' }],
    ['GET', { accept: 'text/html', 'sec-purpose': 'prefetch;prerender' }],
    ['GET', { accept: '*/*', purpose: 'prefetch' }],
    ['GET', { accept: '*/*', 'x-moz': 'prefetch' }],
  ])('a %s with the headers %j does not open the page', async (method, headers) => {
    await start()
    const id = await pages.create()
    const response = await pages.ask(`/pay/${id}`, { method, headers: headers as Record<string, string> })
    expect(response.status).toBe(200)
    await advance(60_000)
    expect(await pages.status(id)).toMatchObject({ status: 'succeeded' })
  })
})

describe('opening the page after the simulator opened the session', () => {
  it('the page shows the form, and the bank waits for the buyer', async () => {
    await start()
    const id = await pages.create({ method: 'cards' })
    await advance(1000)
    const before = await pages.payment(id)
    expect(before).toMatchObject({ status: 'processing' })
    expect(await pages.open(id)).toContain('data-step="cards"')
    await advance(60_000)
    expect(await pages.payment(id)).toEqual(before)
    await pages.post(id, 'pay', { ...CARD, number: '4000000000009995' })
    expect(await pages.status(id)).toMatchObject({ status: 'processing', step: 'processing' })
    await advance(1000)
    expect(await pages.payment(id)).toMatchObject({
      status: 'failed',
      processing_until: before['processing_until'],
      customer_card_mask: '400000******9995',
      customer_card_holder: 'IVAN PETROV',
      metadata: { failure_code: 'insufficient_funds' },
    })
  })

  it('a second click and another visit after paying change nothing', async () => {
    await start()
    const id = await pages.create({ method: 'cards' })
    await advance(1000)
    await pages.post(id, 'pay', CARD)
    await advance(500)
    await pages.post(id, 'pay', { ...CARD, number: '4000000000009995' })
    await pages.open(id)
    await advance(500)
    expect(await pages.payment(id)).toMatchObject({ status: 'succeeded', customer_card_mask: '220000******0003' })
  })

  it('a session with the plan pending still times out after the page was opened', async () => {
    await start()
    const id = await pages.create({ method: 'sbp', metadata: { simulate: 'pending' } })
    await advance(2000)
    expect(await pages.open(id)).toContain('data-step="sbp"')
    await pages.post(id, 'pay', { bank: '100000000008' })
    expect(await pages.status(id)).toMatchObject({ step: 'processing' })
    expect(await pages.payment(id)).toMatchObject({ customer_payer_bank: 'Альфа-Банк' })
    await advance(19 * 60_000)
    expect(await pages.payment(id)).toMatchObject({ status: 'processing' })
    await advance(60_000)
    expect(await pages.payment(id)).toMatchObject({ status: 'expired', metadata: { failure_code: 'session_timeout' } })
  })

  it.each([
    ['reject', {}, 'rejected_by_payer'],
    ['act', { act: 'decline', code: 'call_issuer', delay: '3000' }, 'call_issuer'],
  ])('the part %s works in an open session', async (part, fields, code) => {
    await start()
    const id = await pages.create({ method: 'tpay' })
    await advance(1500)
    await pages.post(id, part, fields)
    await advance(3000)
    expect(await pages.payment(id)).toMatchObject({ status: 'failed', metadata: { failure_code: code } })
  })

  it('a session that a command opened follows its plan, and the page shows why', async () => {
    await start()
    const id = await pages.create({ method: 'cards' })
    pages.sandbox.engine.execute('act_on_payment', { payment_id: id, act: { action: 'open_session' } })
    expect(await pages.open(id)).toMatch(/data-step="processing"[\s\S]*A command opened this session/)
    await advance(1000)
    expect(await pages.payment(id)).toMatchObject({ status: 'succeeded' })
  })

  it('the page of a payment that ended before explains how to keep it open', async () => {
    await start()
    const [late, opened] = [await pages.create({ method: 'cards' }), await pages.create({ method: 'cards' })]
    await pages.post(opened, 'pay', CARD)
    await advance(2000)
    expect(await pages.open(late)).toMatch(/data-note>.*<code>psp settings set buyer=manual<\/code>/)
    expect(await pages.open(opened)).not.toContain('data-note')
  })
})
