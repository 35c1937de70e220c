import { afterEach, describe, expect, it } from 'vitest'
import { METHODS, PAGE_METHODS } from '../../../src/domain/payment-methods.ts'
import type { SandboxOptions } from '../../../src/sandbox.ts'
import { EXPIRY_FORMATS, NO_EXPIRY } from './expiry-formats.ts'
import { CARD, createPageFixture, type PageFixture } from './fixtures.ts'

let pages: PageFixture
afterEach(() => pages.sandbox.close())

async function start(options: SandboxOptions = {}): Promise<void> {
  pages = await createPageFixture(options)
}

const advance = (by: number) => pages.sandbox.timeline.advance({ by })

describe('the payment page without a script', () => {
  it('a payment by SBP succeeds after the buyer confirms it in the bank app', async () => {
    await start()
    const id = await pages.create()
    expect(await pages.open(id, '?method=sbp')).toContain('role="img"')
    expect((await pages.post(id, 'pay', { method: 'sbp' })).status).toBe(303)
    expect(await pages.payment(id)).toMatchObject({ method: 'sbp', status: 'processing' })
    await advance(1000)
    expect(await pages.open(id)).toContain('data-step="succeeded"')
  })

  it('the bank that the buyer picks is the bank of the payment', async () => {
    await start()
    const id = await pages.create({ method: 'sbp' })
    expect(await pages.open(id, '?q=alfa')).toMatch(/<li\s+data-bank="Альфа-Банк Alfa-Bank"/)
    expect(await pages.open(id, '?view=app&bank=100000000008')).toContain('Alfa-Bank app, simulated')
    await pages.post(id, 'pay', { bank: '100000000008' })
    expect(await pages.payment(id)).toMatchObject({ customer_payer_bank: 'Альфа-Банк', bank_name: 'Альфа-Банк' })
  })

  it('a payment with a fixed method offers no other method', async () => {
    await start()
    const id = await pages.create({ method: 'tpay' })
    const page = await pages.open(id)
    expect(page).toContain('Open T-Pay')
    expect(page).not.toContain('name="method"')
    expect(page).not.toContain('class="ways"')
    expect(await pages.open(id, '?method=sbp')).toContain('Open T-Pay')
    await pages.post(id, 'pay', { method: 'sbp' })
    expect(await pages.payment(id)).toMatchObject({ method: 'tpay', status: 'processing' })
  })

  it('the method stays any while the buyer looks at the methods, and is chosen when the session opens', async () => {
    await start()
    const id = await pages.create()
    for (const method of PAGE_METHODS) {
      const page = await pages.open(id, `?method=${method}`)
      expect(page).toContain(`data-step="${METHODS[method].page}"`)
      expect(page).toMatch(new RegExp(`method=${method}"\\s+aria-current="true"`))
      expect(await pages.payment(id)).toMatchObject({ method: 'any', status: 'pending' })
    }
    await pages.post(id, 'pay', { method: 'tpay' })
    expect(await pages.payment(id)).toMatchObject({ method: 'tpay', status: 'processing' })
    expect(await pages.open(id, '?method=sbp')).toContain('data-step="processing"')
  })

  it('a buyer who declines in an app declines with the method of that app', async () => {
    await start()
    const id = await pages.create()
    expect(await pages.open(id, '?method=sberpay&view=app')).toContain('SberPay app, simulated')
    await pages.post(id, 'reject', { method: 'sberpay' })
    expect(await pages.payment(id)).toMatchObject({ status: 'failed', method: 'sberpay' })
  })

  it('the title of the browser tab shows the shop, and the result once there is one', async () => {
    await start()
    const id = await pages.create({ method: 'sbp' })
    const titleOf = async (query = '') => /<title>([^<]*)</.exec(await pages.open(id, query))?.[1]
    expect(await titleOf()).toBe('Payment to Local shop')
    await pages.post(id, 'pay')
    expect(await titleOf()).toBe('Payment in progress · Payment to Local shop')
    await advance(1000)
    expect(await titleOf()).toBe('Paid · Payment to Local shop')
    expect(await titleOf('?lang=ru')).toBe('Оплачено · Оплата: Local shop')
  })

  it('an empty card form says what each field needs, and a wrong number has another message', async () => {
    await start()
    const id = await pages.create({ method: 'cards' })
    const errorsOf = async (fields: Record<string, string>) => {
      const page = await (await pages.post(id, 'pay', fields)).text()
      return [...page.matchAll(/<span class="error" id="(\w+)-error"[^>]*>([^<]*)</g)].map(([, name, text]) => [
        name,
        text,
      ])
    }
    const date = ['expiry', 'Enter a month from 01 to 12 that has not passed.']
    const empty = [['number', 'Enter the card number.'], date, ['cvc', 'Enter 3 digits.'], ['holder', '']]
    expect(await errorsOf({})).toEqual(empty)
    expect(await errorsOf({ ...CARD, number: '1' })).toEqual([
      ['number', 'The card number is not valid. Check its digits.'],
      ['expiry', ''],
      ['cvc', ''],
      ['holder', ''],
    ])
  })

  it('a form with mistakes keeps the method of the tab', async () => {
    await start()
    const id = await pages.create()
    const page = await (await pages.post(id, 'pay?method=cards', { ...CARD, cvc: '1', method: 'cards' })).text()
    expect(page).toContain('data-step="cards"')
    expect(page).toContain('name="method" value="cards"')
  })

  it('a payment that waits for 3-D Secure can still be paid by another method', async () => {
    await start()
    const id = await pages.create()
    await pages.post(id, 'pay', { ...CARD, number: '4000000000003220', method: 'cards' })
    expect(await pages.open(id)).toContain('data-step="three_ds"')
    expect(await pages.open(id, '?method=sbp')).toContain('data-step="sbp"')
    await pages.post(id, 'pay', { method: 'sbp' })
    await advance(1000)
    expect(await pages.payment(id)).toMatchObject({ status: 'succeeded', method: 'sbp' })
  })

  it.each(['tpay', 'sberpay'])('the page of %s shows a QR code with its address', async (method) => {
    await start()
    expect(await pages.open(await pages.create({ method }))).toContain('class="qr-code"')
  })

  it('a payment that the buyer declines in the app fails at once with rejected_by_payer', async () => {
    await start()
    const id = await pages.create({ method: 'sberpay' })
    await pages.post(id, 'reject')
    expect(await pages.payment(id)).toMatchObject({
      status: 'failed',
      metadata: { failure_code: 'rejected_by_payer' },
    })
    expect(await pages.open(id)).toContain('You declined the payment in the app.')
  })

  it('a decline in the app changes nothing if the buyer has confirmed, or if it names no method', async () => {
    await start()
    const confirmed = await pages.create({ method: 'sberpay' })
    const token = await pages.token(confirmed)
    await pages.post(confirmed, 'pay')
    expect((await pages.post(confirmed, 'reject', { token })).status).toBe(303)
    expect(await pages.payment(confirmed)).toMatchObject({ status: 'processing' })
    const open = await pages.create()
    expect((await pages.post(open, 'reject')).status).toBe(303)
    expect(await pages.payment(open)).toMatchObject({ status: 'pending', method: 'any' })
  })

  it('a payment by card succeeds and keeps brand, mask and holder', async () => {
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

  it('a payment with a magic card of a decline fails', async () => {
    await start()
    const id = await pages.create({ method: 'cards' })
    await pages.post(id, 'pay', { ...CARD, number: '4000000000009995' })
    await advance(1000)
    expect(await pages.payment(id)).toMatchObject({
      status: 'failed',
      metadata: { failure_code: 'insufficient_funds', bank_failure_code: '51' },
    })
  })

  it('two clicks open one session', async () => {
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
  ])('a 3-D Secure page on which the buyer chooses %s ends the payment as %s', async (answer, status, code) => {
    await start()
    const id = await pages.create({ method: 'cards' })
    await pages.post(id, 'pay', { ...CARD, number: '4000000000003220' })
    expect(await pages.payment(id)).toMatchObject({ status: 'pending' })
    const page = await pages.open(id)
    expect(page).toContain('data-step="three_ds"')
    expect(page).toContain('400000******3220')
    await pages.post(id, 'confirm', { answer, code: '123456' })
    await advance(1000)
    const payment = await pages.payment(id)
    expect([payment['status'], payment.metadata['failure_code']]).toEqual([status, code])
  })

  it.each([
    ['confirm', 'answer: &quot;&quot; (yes, no, resend, back)'],
    ['act', 'act: &quot;&quot; (approve, decline, expire)'],
    ['order', 'order: &quot;&quot; ('],
  ])('a form for %s without a choice gets 400 with the field and its choices', async (part, message) => {
    await start()
    const id = await pages.create({ method: 'cards' })
    await pages.post(id, 'pay', { ...CARD, number: '4000000000003220' })
    const response = await pages.post(id, part, {})
    expect(response.status).toBe(400)
    expect(await response.text()).toContain(message)
    expect(await pages.payment(id)).toMatchObject({ status: 'pending' })
  })

  describe('the one-time code of 3-D Secure', () => {
    const confirming = async () => {
      await start()
      const id = await pages.create({ method: 'cards' })
      await pages.post(id, 'pay', { ...CARD, number: '4000000000003220' })
      return id
    }
    const error = async (id: string, query = '') =>
      /id="code-error"[^>]*>([^<]*)</.exec(await pages.open(id, query))?.[1]

    it.each([
      ['000000', 'Wrong code. Attempts left: 2.'],
      ['314159', 'Wrong code. Attempts left: 2.'],
      ['999999', 'This code has expired. Request a new one.'],
      ['', 'Enter the 6 digits of the code.'],
      ['12345', 'Enter the 6 digits of the code.'],
      ['1234567', 'Enter the 6 digits of the code.'],
      ['<b>123', 'Enter the 6 digits of the code.'],
    ])('the code %j keeps the payment pending, and the page says why', async (code, text) => {
      const id = await confirming()
      await pages.post(id, 'confirm', { answer: 'yes', code })
      expect(await pages.payment(id)).toMatchObject({ status: 'pending' })
      expect(await error(id)).toBe(text)
      await pages.post(id, 'confirm', { answer: 'yes', code: '123 456' })
      await advance(1000)
      expect(await pages.payment(id)).toMatchObject({ status: 'succeeded' })
    })

    it('the third wrong code declines the payment, and other notices use no attempt', async () => {
      const id = await confirming()
      for (const code of ['000000', '999999', '1', '000000']) await pages.post(id, 'confirm', { answer: 'yes', code })
      expect(await error(id, '?lang=ru')).toBe('Неверный код. Осталось попыток: 1.')
      await pages.post(id, 'confirm', { answer: 'yes', code: '000000' })
      await advance(1000)
      expect(await pages.payment(id)).toMatchObject({
        status: 'failed',
        metadata: { failure_code: 'three_ds_failed' },
      })
    })

    it('the buyer can request a new code, and other tabs draw the page again', async () => {
      const id = await confirming()
      const { version } = await pages.status(id)
      await pages.post(id, 'confirm', { answer: 'resend' })
      expect(await pages.open(id)).toContain('The bank has sent a new code.')
      expect((await pages.status(id))['version']).not.toBe(version)
    })

    it('the buyer can go back to the card form, and the payment stays pending', async () => {
      const id = await confirming()
      await pages.post(id, 'confirm', { answer: 'back' })
      expect(await pages.status(id)).toMatchObject({ status: 'pending', step: 'cards' })
    })

    it('a link fills in a magic code, and only a magic code', async () => {
      const id = await confirming()
      expect(await pages.open(id, '?code=999999')).toMatch(/id="code"[^>]*value="999999"/)
      expect(await pages.open(id, '?code=111111')).toMatch(/id="code"[^>]*value=""/)
    })
  })

  it('the receipt of a paid payment shows its date, order and method, and can be copied', async () => {
    await start({ clock: { mode: 'frozen', now: Date.parse('2026-05-06T09:00:00Z') as never } })
    const id = await pages.create({ method: 'cards', order_id: 'A-<7>' })
    await pages.post(id, 'act', { act: 'approve' })
    const page = await pages.open(id)
    expect(page).toContain('6 May 2026 at 09:00 UTC')
    expect(page).toMatch(
      /data-copy-text="Local shop, ₽1,500.00, Paid\nDate: [^"]*\nOrder: A-&lt;7&gt;\nMethod: Bank card/,
    )
    expect(await pages.open(id, '?lang=ru')).toContain('6 мая 2026 г. в 09:00 UTC')
  })

  it.each(EXPIRY_FORMATS)('the card form accepts the date %j', async (expiry) => {
    await start()
    const id = await pages.create({ method: 'cards' })
    expect((await pages.post(id, 'pay', { ...CARD, expiry })).status).toBe(303)
  })

  it.each(NO_EXPIRY)('the card form rejects %j, which is not a date', async (expiry) => {
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
  ])('the card form shows the error of %s at its field and never shows the number again', async (field, wrong) => {
    await start()
    const id = await pages.create({ method: 'cards' })
    const response = await pages.post(id, 'pay', { ...CARD, ...wrong })
    const page = await response.text()
    expect(response.status).toBe(422)
    expect(page).toMatch(new RegExp(`id="${field}"[^>]*aria-invalid="true"`))
    expect(page).not.toMatch(/value="\d{4} ?\d{4}/)
    expect(await pages.payment(id)).toMatchObject({ status: 'pending' })
  })

  it('the card form keeps valid values except the number and the security code', async () => {
    await start()
    const id = await pages.create({ method: 'cards' })
    const page = await (await pages.post(id, 'pay', { ...CARD, cvc: '1' })).text()
    expect(page).toContain('value="Ivan Petrov"')
    expect(page).toContain('value="12/30"')
    expect(page).not.toContain('value="1"')
  })

  it('the card form shows a date that has passed again, but not a card number in its field', async () => {
    await start()
    const id = await pages.create({ method: 'cards' })
    const shown = async (expiry: string) =>
      /name="expiry" value="([^"]*)"/.exec(await (await pages.post(id, 'pay', { ...CARD, expiry })).text())?.[1]
    expect(await shown('12/20')).toBe('12/20')
    expect(await shown('2200 0000 0001 0003')).toBe('')
  })

  it('the card form asks for a missing number', async () => {
    await start()
    const id = await pages.create({ method: 'cards' })
    const error = async (number: string) =>
      /id="number-error"[^>]*>([^<]*)</.exec(await (await pages.post(id, 'pay', { ...CARD, number })).text())?.[1]
    expect(await error(' ')).toBe('Enter the card number.')
    expect(await error('1')).toBe('The card number is not valid. Check its digits.')
  })

  it('a magic card is an ordinary card if magic is off', async () => {
    await start({ settings: { magic: false } })
    const id = await pages.create({ method: 'cards' })
    await pages.post(id, 'pay', { ...CARD, number: '4000000000003220' })
    await advance(1000)
    expect(await pages.status(id)).toMatchObject({ status: 'succeeded' })
  })

  it('a magic card is an ordinary card in live mode', async () => {
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

  it('a rule takes precedence over a magic card', async () => {
    await start()
    pages.sandbox.engine.execute('add_rule', { plan: 'failed:limit_exceeded' })
    const id = await pages.create({ method: 'cards' })
    await pages.post(id, 'pay', { ...CARD, number: '4242424242424242' })
    await advance(1000)
    expect((await pages.payment(id)).metadata['failure_code']).toBe('limit_exceeded')
  })

  it('a link of the list fills in a test card', async () => {
    await start()
    const id = await pages.create({ method: 'cards' })
    expect(await pages.open(id, '?card=0')).toContain('value="2200 0000 0001 0003"')
  })

  it('the filled-in date has not passed after the clock was moved', async () => {
    await start()
    await advance(40 * 365 * 86_400_000)
    const id = await pages.create({ method: 'cards' })
    const expiry = /id="expiry" name="expiry" value="([^"]+)"/.exec(await pages.open(id, '?card=0'))?.[1] ?? ''
    expect(expiry).toMatch(/^12\/\d\d$/)
    expect((await pages.post(id, 'pay', { ...CARD, expiry })).status).toBe(303)
  })

  it('a payment with the plan requires_action waits for the buyer and then succeeds', async () => {
    await start()
    const id = await pages.create({ method: 'sbp', amount: 10_001 })
    await pages.post(id, 'pay')
    await advance(1000)
    expect(await pages.status(id)).toMatchObject({ status: 'succeeded' })
  })
})
