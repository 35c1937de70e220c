import { afterEach, describe, expect, it } from 'vitest'
import type { SandboxOptions } from '../../../src/sandbox.ts'
import { EXPIRY_FORMS, NO_EXPIRY } from './expiry-formats.ts'
import { CARD, type Rig, rig } from './fixtures.ts'

let pages: Rig
afterEach(() => pages.sandbox.close())

async function start(options: SandboxOptions = {}): Promise<void> {
  pages = await rig(options)
}

const advance = (by: number) => pages.sandbox.timeline.advance({ by })

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

  it.each(EXPIRY_FORMS)('takes the date %j without a script', async (expiry) => {
    await start()
    const id = await pages.create({ method: 'cards' })
    expect((await pages.post(id, 'pay', { ...CARD, expiry })).status).toBe(303)
  })

  it.each(NO_EXPIRY)('refuses %j, which is no date', async (expiry) => {
    await start()
    const id = await pages.create({ method: 'cards' })
    expect((await pages.post(id, 'pay', { ...CARD, expiry })).status).toBe(422)
  })

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

  it('a date that has passed stays to be seen; a number in its field does not', async () => {
    await start()
    const id = await pages.create({ method: 'cards' })
    const shown = async (expiry: string) =>
      /name="expiry" value="([^"]*)"/.exec(await (await pages.post(id, 'pay', { ...CARD, expiry })).text())?.[1]
    expect(await shown('12/20')).toBe('12/20')
    expect(await shown('2200 0000 0001 0003')).toBe('')
  })

  it('a number that is missing is asked for, not found wrong', async () => {
    await start()
    const id = await pages.create({ method: 'cards' })
    const error = async (number: string) =>
      /id="number-error"[^>]*>([^<]*)</.exec(await (await pages.post(id, 'pay', { ...CARD, number })).text())?.[1]
    expect(await error(' ')).toBe('Enter the card number.')
    expect(await error('1')).toMatch(/^Check the card number/)
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
