import jsQr from 'jsqr'
import { afterEach, describe, expect, it } from 'vitest'
import type { SandboxOptions } from '../../../src/sandbox.ts'
import { CARD, type Rig, rig } from './rig.ts'

let pages: Rig
afterEach(() => pages.sandbox.close())

async function start(options: SandboxOptions = {}): Promise<void> {
  pages = await rig(options)
}

const advance = (by: number) => pages.sandbox.timeline.advance({ by })

describe('opening', () => {
  it('makes the automatic buyer stand down', async () => {
    await start()
    const [seen, unseen] = [await pages.create(), await pages.create()]
    await pages.open(seen)
    await advance(60_000)
    expect(await pages.status(seen)).toMatchObject({ status: 'pending', method: 'any', step: 'choose' })
    expect(await pages.status(unseen)).toMatchObject({ status: 'succeeded' })
  })

  it.each([{ accept: '*/*' }, {}])('with %j, as curl does, is opening too', async (headers) => {
    await start()
    const id = await pages.create()
    await pages.ask(`/pay/${id}`, { headers: headers as Record<string, string> })
    await advance(60_000)
    expect(await pages.status(id)).toMatchObject({ status: 'pending', step: 'choose' })
  })

  it.each([
    ['HEAD', { accept: 'text/html' }],
    ['GET', { accept: 'application/json' }],
    ['GET', { accept: 'text/html', 'sec-purpose': 'prefetch' }],
    ['GET', { accept: 'text/html', 'sec-purpose': 'prefetch;prerender' }],
    ['GET', { accept: '*/*', purpose: 'prefetch' }],
    ['GET', { accept: '*/*', 'x-moz': 'prefetch' }],
  ])('%s with %j is no person', async (method, headers) => {
    await start()
    const id = await pages.create()
    const response = await pages.ask(`/pay/${id}`, { method, headers: headers as Record<string, string> })
    expect(response.status).toBe(200)
    await advance(60_000)
    expect(await pages.status(id)).toMatchObject({ status: 'succeeded' })
  })
})

describe('opening after the simulator opened the session', () => {
  it('shows the form within it, and the bank waits for the buyer', async () => {
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

  it('a second click, and opening again after paying, change nothing', async () => {
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

  it('also where the plan is that the bank never answers; the session still times out', async () => {
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
  ])('%s works there too', async (part, fields, code) => {
    await start()
    const id = await pages.create({ method: 'tpay' })
    await advance(1500)
    await pages.post(id, part, fields)
    await advance(3000)
    expect(await pages.payment(id)).toMatchObject({ status: 'failed', metadata: { failure_code: code } })
  })

  it('leaves a session that an act opened to its plan, and says so', async () => {
    await start()
    const id = await pages.create({ method: 'cards' })
    pages.sandbox.engine.execute('act_on_payment', { payment_id: id, act: { action: 'open_session' } })
    expect(await pages.open(id)).toMatch(/data-step="processing"[\s\S]*A command opened this session/)
    await advance(1000)
    expect(await pages.payment(id)).toMatchObject({ status: 'succeeded' })
  })

  it('says how to hold a payment that was over before', async () => {
    await start()
    const [late, opened] = [await pages.create({ method: 'cards' }), await pages.create({ method: 'cards' })]
    await pages.post(opened, 'pay', CARD)
    await advance(2000)
    expect(await pages.open(late)).toMatch(/data-note>[^<]*buyer=manual/)
    expect(await pages.open(opened)).not.toContain('data-note')
  })
})

describe('without a script', () => {
  it('SBP: choose, open the app, confirm; the bank answers', async () => {
    await start()
    const id = await pages.create()
    const chosen = await pages.post(id, 'method', { method: 'sbp' })
    expect([chosen.status, chosen.headers.get('location')]).toEqual([303, `../${id}`])
    expect(await pages.payment(id)).toMatchObject({ method: 'sbp', status: 'pending' })
    expect(await pages.open(id)).toContain('role="img"')
    expect((await pages.post(id, 'pay')).status).toBe(303)
    expect(await pages.payment(id)).toMatchObject({ status: 'processing' })
    await advance(1000)
    expect(await pages.open(id)).toContain('data-step="succeeded"')
  })

  it('the bank that was picked is the bank that pays', async () => {
    await start()
    const id = await pages.create({ method: 'sbp' })
    expect(await pages.open(id, '?q=alfa')).toMatch(/<li\s+data-bank="Альфа-Банк Alfa-Bank"/)
    expect(await pages.open(id, '?view=app&bank=100000000008')).toContain('Alfa-Bank app, simulated')
    await pages.post(id, 'pay', { bank: '100000000008' })
    expect(await pages.payment(id)).toMatchObject({ customer_payer_bank: 'Альфа-Банк', bank_name: 'Альфа-Банк' })
  })

  it('a fixed method offers only itself', async () => {
    await start()
    const id = await pages.create({ method: 'tpay' })
    const page = await pages.open(id)
    expect(page).toContain('Open T-Pay')
    expect(page).not.toContain('name="method"')
    await pages.post(id, 'method', { method: 'sbp' })
    expect(await pages.payment(id)).toMatchObject({ method: 'tpay' })
  })

  it('No in the app fails as rejected_by_payer, at once', async () => {
    await start()
    const id = await pages.create({ method: 'sberpay' })
    await pages.post(id, 'reject')
    expect(await pages.payment(id)).toMatchObject({
      status: 'failed',
      metadata: { failure_code: 'rejected_by_payer' },
    })
    expect(await pages.open(id)).toContain('You declined the payment in the app.')
  })

  it('a card succeeds; brand, mask and holder are kept', async () => {
    await start()
    const id = await pages.create({ method: 'cards' })
    expect((await pages.post(id, 'pay', CARD)).status).toBe(303)
    await advance(1000)
    expect(await pages.payment(id)).toMatchObject({
      status: 'succeeded',
      customer_card_brand: 'MIR',
      customer_card_mask: '220000******0003',
      customer_card_holder: 'IVAN PETROV',
    })
  })

  it('a magic card declines', async () => {
    await start()
    const id = await pages.create({ method: 'cards' })
    await pages.post(id, 'pay', { ...CARD, number: '4000000000009995' })
    await advance(1000)
    expect(await pages.payment(id)).toMatchObject({
      status: 'failed',
      metadata: { failure_code: 'insufficient_funds', bank_failure_code: '51' },
    })
  })

  it('two clicks make one session', async () => {
    await start()
    const id = await pages.create({ method: 'cards' })
    const token = await pages.token(id)
    const answers = await Promise.all([1, 2].map(() => pages.post(id, 'pay', { ...CARD, token })))
    expect(answers.map(({ status }) => status)).toEqual([303, 303])
    await advance(1000)
    const events = [...pages.sandbox.engine.world.rows('events')].filter(({ object_id }) => object_id === id)
    expect(events.map(({ event }) => event)).toEqual(['payment.succeeded'])
  })

  it.each([
    ['yes', 'succeeded', undefined],
    ['no', 'failed', 'three_ds_failed'],
  ])('3-D Secure, answered %s', async (answer, status, code) => {
    await start()
    const id = await pages.create({ method: 'cards' })
    await pages.post(id, 'pay', { ...CARD, number: '4000000000003220' })
    expect(await pages.payment(id)).toMatchObject({ status: 'pending' })
    const page = await pages.open(id)
    expect(page).toContain('data-step="three_ds"')
    expect(page).toContain('400000******3220')
    await pages.post(id, 'confirm', { answer })
    await advance(1000)
    const payment = await pages.payment(id)
    expect([payment['status'], payment.metadata['failure_code']]).toEqual([status, code])
  })

  it.each(['1/31', '01/31', '0131', '1/2031', '01 / 2031', '012031', '1-31'])(
    'takes the date %s, whoever sends the form',
    async (expiry) => {
      await start()
      const id = await pages.create({ method: 'cards' })
      expect((await pages.post(id, 'pay', { ...CARD, expiry })).status).toBe(303)
    },
  )

  it.each([
    ['expiry', { expiry: '131' }],
    ['expiry', { expiry: '13/31' }],
    ['number', { number: '2200 0000 0001 0004' }],
    ['expiry', { expiry: '01/20' }],
    ['cvc', { cvc: '12' }],
    ['cvc', { number: '378282246310005', cvc: '123' }],
    ['holder', { holder: '<b>' }],
  ])('a wrong %s is shown beside its field, the number is not', async (field, wrong) => {
    await start()
    const id = await pages.create({ method: 'cards' })
    const response = await pages.post(id, 'pay', { ...CARD, ...wrong })
    const page = await response.text()
    expect(response.status).toBe(422)
    expect(page).toMatch(new RegExp(`id="${field}"[^>]*aria-invalid="true"`))
    expect(page).not.toMatch(/value="\d{4} ?\d{4}/)
    expect(await pages.payment(id)).toMatchObject({ status: 'pending' })
  })

  it('what was right stays, number and code aside', async () => {
    await start()
    const id = await pages.create({ method: 'cards' })
    const page = await (await pages.post(id, 'pay', { ...CARD, cvc: '1' })).text()
    expect(page).toContain('value="Ivan Petrov"')
    expect(page).toContain('value="12/30"')
    expect(page).not.toContain('value="1"')
  })

  it('with magic off a magic card is a card like others', async () => {
    await start({ settings: { magic: false } })
    const id = await pages.create({ method: 'cards' })
    await pages.post(id, 'pay', { ...CARD, number: '4000000000003220' })
    await advance(1000)
    expect(await pages.status(id)).toMatchObject({ status: 'succeeded' })
  })

  it('in live mode too', async () => {
    await start()
    const [shop] = pages.sandbox.engine.world.rows('shops')
    const { object } = pages.sandbox.engine.execute('create_payment', {
      caller: { shop_id: shop?.id ?? '', mode: 'live' },
      input: { amount: 100, currency: 'RUB', method: 'cards', metadata: {} },
    })
    expect(await pages.open(object.id)).not.toContain('data-card=')
    await pages.post(object.id, 'pay', { ...CARD, number: '4000000000009995' })
    await advance(1000)
    expect(await pages.status(object.id)).toMatchObject({ status: 'succeeded' })
  })

  it('a rule stands before the card', async () => {
    await start()
    pages.sandbox.engine.execute('add_rule', { plan: 'failed:limit_exceeded' })
    const id = await pages.create({ method: 'cards' })
    await pages.post(id, 'pay', { ...CARD, number: '4242424242424242' })
    await advance(1000)
    expect((await pages.payment(id)).metadata['failure_code']).toBe('limit_exceeded')
  })

  it('fills in a test card from the list', async () => {
    await start()
    const id = await pages.create({ method: 'cards' })
    expect(await pages.open(id, '?card=0')).toContain('value="2200 0000 0001 0003"')
  })

  it('fills in a date that has not passed, however far the clock was moved', async () => {
    await start()
    await advance(40 * 365 * 86_400_000)
    const id = await pages.create({ method: 'cards' })
    const expiry = /id="expiry" name="expiry" value="([^"]+)"/.exec(await pages.open(id, '?card=0'))?.[1] ?? ''
    expect(expiry).toMatch(/^12\/\d\d$/)
    expect((await pages.post(id, 'pay', { ...CARD, expiry })).status).toBe(303)
  })

  it('waits for the buyer where the plan says so, then succeeds', async () => {
    await start()
    const id = await pages.create({ method: 'sbp', amount: 10_001 })
    await pages.post(id, 'pay')
    await advance(1000)
    expect(await pages.status(id)).toMatchObject({ status: 'succeeded' })
  })
})

describe('the QR code', () => {
  it('reads as the address of the page', async () => {
    await start({ payHost: 'https://pay.example' })
    const [shop] = pages.sandbox.engine.world.rows('shops')
    const { object } = pages.sandbox.engine.execute('create_payment', {
      caller: { shop_id: shop?.id ?? '', mode: 'test' },
      input: { amount: 100, currency: 'RUB', method: 'sbp', metadata: {} },
    })
    expect(readQr(await pages.open(object.id))).toBe(`https://pay.example/pay/${object.id}`)
  })
})

/** Paints the runs of the SVG, 4 pixels a cell, and reads them as a camera would. */
function readQr(page: string): string | undefined {
  const size = Number(/class="qr-code" viewBox="0 0 (\d+)/.exec(page)?.[1])
  const path = /fill="#000" d="([^"]+)"/.exec(page)?.[1] ?? ''
  const width = size * 4
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255)
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    for (let row = Number(y) * 4; row < Number(y) * 4 + 4; row++) {
      for (let column = Number(x) * 4; column < (Number(x) + Number(length)) * 4; column++) {
        pixels.fill(0, (row * width + column) * 4, (row * width + column) * 4 + 3)
      }
    }
  }
  return jsQr.default(pixels, width, width)?.data
}

describe('the status route', () => {
  it('tells the time left by the sandbox clock, and a version that changes with the payment', async () => {
    await start()
    const id = await pages.create()
    const before = await pages.status(id)
    expect((before['deadline'] as number) - (before['now'] as number)).toBe(86_400_000)
    expect(before['speed']).toBe(0)
    await pages.post(id, 'method', { method: 'cards' })
    expect((await pages.status(id))['version']).not.toBe(before['version'])
  })
})
