import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { METHOD_PER_FORM } from '../http/pages/methods.ts'
import { fillCard, heading, waitForPage } from './buyer.ts'
import { type BrowserFixture, createBrowserFixture, describeInBrowser, fitsWithin, linesOf } from './fixtures.ts'

describeInBrowser('the hosted page in a browser', () => {
  let browser: BrowserFixture
  let shop: Server
  let shopUrl: string
  beforeAll(async () => {
    browser = await createBrowserFixture()
    shop = createServer((_, response) => response.end('<title>Shop</title><h1>Thanks</h1>'))
    await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
    shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/done?cart=7#end`
  })
  afterAll(async () => {
    shop.closeAllConnections()
    shop.close()
    await browser.close()
  })

  it('a payment by SBP succeeds through the QR code and the bank app', async () => {
    const { page, problems, context } = await browser.window()
    const id = await browser.create()
    await page.goto(`${browser.url}/pay/${id}`)
    await browser.shot(page, 'choose')
    await page.getByRole('button', { name: 'SBP' }).click()
    expect(await page.getByLabel('Payment link').inputValue()).toBe(`${browser.url}/pay/${id}?method=sbp`)
    await page.getByRole('img', { name: 'QR code' }).waitFor()
    await browser.shot(page, 'sbp')
    await page.getByRole('link', { name: 'Open the bank app' }).click()
    await browser.shot(page, 'sbp-app')
    await page.getByRole('button', { name: 'Confirm' }).dblclick()
    await heading(page, 'Payment in progress').or(heading(page, 'Paid')).waitFor()
    await waitForPage(page, 'Paid')
    await browser.shot(page, 'succeeded')
    expect(await browser.payment(id)).toMatchObject({ status: 'succeeded', method: 'sbp' })
    // Two presses open one session.
    expect(browser.statuses(id)).toEqual(['processing', 'succeeded'])
    expect(problems).toEqual([])
    await context.close()
  })

  it('the buyer can look at each method and change to another until the payment is paid', async () => {
    const { page, problems, context } = await browser.window()
    const id = await browser.create()
    await page.goto(`${browser.url}/pay/${id}`)
    await page.getByRole('button', { name: 'Bank card' }).click()
    await waitForPage(page, 'Pay by card')
    const ways = page.getByRole('navigation', { name: 'How would you like to pay?' })
    await ways.getByRole('link', { name: 'T-Pay' }).click()
    await page.getByRole('img', { name: 'QR code' }).waitFor()
    await browser.shot(page, 'tpay-qr')
    await page.goBack()
    await waitForPage(page, 'Pay by card')
    expect(await browser.payment(id)).toMatchObject({ method: 'any', status: 'pending' })
    await ways.getByRole('link', { name: 'SberPay' }).click()
    await page.getByRole('link', { name: 'Open SberPay' }).click()
    await page.getByRole('button', { name: 'Confirm' }).click()
    await waitForPage(page, 'Paid')
    expect(await browser.payment(id)).toMatchObject({ method: 'sberpay', status: 'succeeded' })
    expect(problems).toEqual([])
    await context.close()
  })

  it.each([
    ['any', 'en-GB', '?method=cards', 'Pay '],
    ['any', 'ru-RU', '?method=cards', 'Оплатить '],
    ['any', 'en-GB', '?method=sbp', 'Open the bank app'],
    ['any', 'ru-RU', '?method=tpay', 'Открыть T-Pay'],
    ['cards', 'ru-RU', '', 'Оплатить '],
  ])(
    'the button of a payment by %s in %s with the query "%s" is above the fold of a phone',
    async (method, locale, query, name) => {
      const { page, context } = await browser.window({ viewport: { width: 320, height: 640 }, locale })
      await page.goto(`${browser.url}/pay/${await browser.create({ method })}${query}`)
      await page.evaluate('document.fonts.ready')
      const button = page.locator('.pane .primary').filter({ hasText: name })
      const box = await button.boundingBox()
      expect((box?.y ?? 1000) + (box?.height ?? 0)).toBeLessThanOrEqual(640)
      await browser.shot(page, `fold-${locale}-${method}`)
      await context.close()
    },
  )

  it('on a phone, the order is one line, which can be opened', async () => {
    const { page, context } = await browser.window({ viewport: { width: 320, height: 640 } })
    await page.goto(`${browser.url}/pay/${await browser.create()}?method=sbp`)
    const line = page.locator('.order-line')
    expect(await line.textContent()).toBe('A-1042 · Two tickets, row 7 · SBP')
    expect((await line.boundingBox())?.height).toBeLessThan(30)
    await line.click()
    await page.locator('.summary .facts').getByText('Two tickets, row 7').waitFor()
    await context.close()
  })

  it('a payment by card succeeds', async () => {
    const { page, problems, context } = await browser.window()
    const id = await browser.create({ method: 'cards' })
    await page.goto(`${browser.url}/pay/${id}`)
    await fillCard(page, '5555555555554444')
    expect(await page.getByLabel('Card number').inputValue()).toBe('5555 5555 5555 4444')
    expect(await page.getByLabel('Expires').inputValue()).toBe('12/39')
    expect(await page.locator('[data-brand]').textContent()).toBe('Mastercard')
    await browser.shot(page, 'card')
    await page.getByRole('button', { name: 'Pay ' }).click()
    await waitForPage(page, 'Paid')
    expect(await browser.payment(id)).toMatchObject({ customer_card_mask: '555555******4444' })
    expect(problems).toEqual([])
    await context.close()
  })

  it('the card form has the focus, moves it to the next field while typing, and draws the card', async () => {
    const { page, context, problems } = await browser.window({ viewport: { width: 1280, height: 900 } })
    await page.goto(`${browser.url}/pay/${await browser.create()}?method=cards`)
    await page.locator('#number:focus').waitFor()
    await page.keyboard.type('2200000000010003')
    await page.locator('#expiry:focus').waitFor()
    expect(await page.locator('.control [data-system]:not(.off)').getAttribute('data-system')).toBe('Мир')
    await page.keyboard.type('1239')
    await page.locator('#cvc:focus').waitFor()
    await page.keyboard.type('123')
    expect(await page.locator('[data-preview]').textContent()).toContain('2200 0000 0001 0003')
    expect(await page.locator('[data-preview-expiry]').textContent()).toBe('12/39')
    await page.keyboard.press('Enter')
    await waitForPage(page, 'Paid')
    expect(problems).toEqual([])
    await context.close()
  })

  it.each(['5555555555554444', '9855555555555555'])(
    'a narrow window shows all digits of the card number %s',
    async (number) => {
      const { page, context } = await browser.window({ viewport: { width: 320, height: 640 } })
      await page.goto(`${browser.url}/pay/${await browser.create({ method: 'cards' })}`)
      await page.locator('#number:focus').waitFor()
      await page.keyboard.type(number)
      await page.locator('#number').blur()
      expect(await page.evaluate('number.scrollWidth - number.clientWidth')).toBe(0)
      await context.close()
    },
  )

  it.each([320, 1280])('a long amount is on one line and within its place at %i px', async (width) => {
    for (const locale of ['en', 'ru']) {
      const { page, context } = await browser.window({ locale, viewport: { width, height: 640 } })
      for (const money of [
        { amount: 123_456_789, currency: 'ILS' },
        { amount: 999_999_999_999 },
        { amount: Number.MAX_SAFE_INTEGER },
        { amount: Number.MAX_SAFE_INTEGER, currency: 'KWD' },
      ]) {
        await page.goto(`${browser.url}/pay/${await browser.create({ ...money, method: 'sbp' })}?view=app`)
        for (const part of ['.amount-value', '.phone-amount', '.phone .primary']) {
          const box = `document.querySelector('${part}')`
          expect([part, await page.evaluate(`${box}.scrollWidth - ${box}.clientWidth`)]).toEqual([part, 0])
          if (part !== '.phone .primary') expect([part, await linesOf(page, part)]).toEqual([part, 1])
        }
      }
      await context.close()
    }
  })

  it('the card form steps back from an empty field, ignores a Tab after the focus has moved, and shows a wrong number at once', async () => {
    const { page, context } = await browser.window()
    await page.goto(`${browser.url}/pay/${await browser.create({ method: 'cards' })}`)
    await page.locator('#number:focus').waitFor()
    await page.keyboard.type('2200000000010004')
    await page.getByText('The card number is not valid. Check its digits.').waitFor()
    expect(await page.locator('#number:focus').count()).toBe(1)
    await page.keyboard.press('Backspace')
    await page.keyboard.type('3')
    await page.locator('#expiry:focus').waitFor()
    await page.keyboard.press('Backspace')
    await page.locator('#number:focus').waitFor()
    // One script, so that the Tab follows the last digit as fast as that of a person.
    await page.evaluate(`(() => {
      const { number } = document.querySelector('.card-form').elements
      number.dispatchEvent(new InputEvent('input', { inputType: 'insertText', bubbles: true }))
      const tab = new KeyboardEvent('keydown', { key: 'Tab', bubbles: true, cancelable: true })
      document.activeElement.dispatchEvent(tab)
      document.title = String(tab.defaultPrevented)
    })()`)
    expect(await page.title()).toBe('true')
    expect(await page.locator('#expiry:focus').count()).toBe(1)
    await context.close()
  })

  it('a payment by card succeeds if the browser fills in the date', async () => {
    const { page, context } = await browser.window()
    const id = await browser.create({ method: 'cards' })
    await page.goto(`${browser.url}/pay/${id}`)
    await fillCard(page, '5555555555554444')
    // Sets the whole value and dispatches one event, as autofill does.
    for (const [filled, shown] of [
      ['12 / 39', '12/39'],
      ['2039-12', '12/2039'],
    ] as const) {
      await page.getByLabel('Expires').fill(filled)
      expect(await page.getByLabel('Expires').inputValue()).toBe(shown)
    }
    await page.getByRole('button', { name: 'Pay ' }).click()
    await waitForPage(page, 'Paid')
    await context.close()
  })

  it('the card form shows the error of a date that has passed and keeps all values', async () => {
    const { page, context } = await browser.window()
    const id = await browser.create({ method: 'cards' })
    await page.goto(`${browser.url}/pay/${id}`)
    await page.getByRole('button', { name: 'Pay ' }).click()
    await page.getByText('Enter the card number.').waitFor()
    await page.getByLabel('Card number').fill('2200 0000 0001 0003')
    await page.getByLabel('Expires').pressSequentially('1220')
    await page.getByLabel('CVC').fill('123')
    await page.getByText('Enter a month from 01 to 12 that has not passed.').waitFor()
    await page.getByRole('button', { name: 'Pay ' }).click()
    expect(await page.getByLabel('Expires').and(page.locator(':focus')).inputValue()).toBe('12/20')
    expect(await page.getByLabel('Card number').inputValue()).toBe('2200 0000 0001 0003')
    await context.close()
  })

  it('the card form finds mistakes before it is sent, and the bank can decline', async () => {
    const { page, context } = await browser.window({ colorScheme: 'dark' })
    const id = await browser.create({ method: 'cards' })
    await page.goto(`${browser.url}/pay/${id}`)
    await page.getByLabel('Card number').fill('2200 0000 0001 0004')
    // A new message must not move the button while it is pressed. Its upper edge would move away first.
    await page.getByRole('button', { name: 'Pay ' }).click({ position: { x: 20, y: 4 } })
    for (const text of [
      'The card number is not valid',
      'Enter a month from 01 to 12 that has not passed.',
      'Enter 3 digits.',
    ]) {
      await page.getByText(text).waitFor()
    }
    expect(await page.getByLabel('Card number').and(page.locator(':focus')).count()).toBe(1)
    await browser.shot(page, 'card-errors-dark')
    await page.getByText('Test cards').click()
    await page.getByRole('link', { name: 'failed:insufficient_funds' }).first().click()
    await browser.shot(page, 'card-picker-dark')
    await page.getByRole('button', { name: 'Pay ' }).click()
    await waitForPage(page, 'Payment failed')
    await page.getByText('There is not enough money').waitFor()
    await browser.shot(page, 'failed-dark')
    expect((await browser.payment(id)).metadata['failure_code']).toBe('insufficient_funds')
    await context.close()
  })

  it('the card form asks for four digits of the security code of an American Express card', async () => {
    const { page, context } = await browser.window()
    await page.goto(`${browser.url}/pay/${await browser.create({ method: 'cards' })}`)
    await fillCard(page, '378282246310005')
    await page.getByRole('button', { name: 'Pay ' }).click()
    await page.getByText('Enter 4 digits.').waitFor()
    await context.close()
  })

  it('a payment that the buyer confirms with 3-D Secure succeeds', async () => {
    const { page, context } = await browser.window()
    const id = await browser.create({ method: 'cards' })
    await page.goto(`${browser.url}/pay/${id}`)
    await fillCard(page, '4000000000003220')
    await page.getByRole('button', { name: 'Pay ' }).click()
    await waitForPage(page, 'Confirm the payment')
    const code = page.getByLabel('Code from your bank')
    await code.and(page.locator(':focus')).waitFor()
    await browser.shot(page, '3ds')
    await page.keyboard.type('000000')
    await page.keyboard.press('Enter')
    await page.getByText('Wrong code. Attempts left: 2.').waitFor()
    expect(await code.getAttribute('aria-invalid')).toBe('true')
    await browser.shot(page, '3ds-wrong')
    await page.getByRole('link', { name: '123456' }).click()
    await page.getByRole('button', { name: 'Confirm' }).click()
    await waitForPage(page, 'Paid')
    await page.getByRole('button', { name: 'Copy', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Print' }).waitFor()
    await browser.shot(page, 'receipt')
    await context.close()
  })

  it('the receipt in Russian fits a width of 320 px', async () => {
    const { page, context } = await browser.window({ viewport: { width: 320, height: 640 } })
    const id = await browser.create({ method: 'tpay' })
    await page.goto(`${browser.url}/pay/${id}`)
    await page.getByRole('link', { name: 'Open T-Pay' }).click()
    await page.getByRole('button', { name: 'Confirm' }).click()
    await waitForPage(page, 'Paid')
    await page.goto(`${browser.url}/pay/${id}?lang=ru`)
    await page.getByRole('button', { name: 'Печать' }).waitFor()
    await fitsWithin(page, 320)
    await context.close()
  })

  it.each(['light', 'dark'] as const)(
    'the page in Russian fits a width of 320 px in the %s theme',
    async (colorScheme) => {
      const { page, context, problems } = await browser.window({
        viewport: { width: 320, height: 640 },
        locale: 'ru-RU',
        colorScheme,
      })
      const id = await browser.create({
        description: `${'Оченьдлинноеназвание'.repeat(40)}`,
        order_id: 'X'.repeat(300),
      })
      const fits = async (name: string) => {
        await browser.shot(page, `ru-320-${name}-${colorScheme}`)
        await fitsWithin(page, 320)
      }
      await page.goto(`${browser.url}/pay/${id}`)
      await page.getByText('Песочница').click()
      await fits('choose-panel')
      await page.getByRole('button', { name: 'СБП' }).click()
      await fits('sbp')
      await page.getByLabel('Название банка').fill('альфа')
      await page.getByRole('link', { name: 'Альфа-Банк' }).click()
      await fits('app')
      await page.getByRole('button', { name: 'Отклонить' }).first().click()
      await waitForPage(page, 'Платёж не прошёл')
      await fits('failed')
      const cards = await browser.create({ method: 'cards' })
      await page.goto(`${browser.url}/pay/${cards}?lang=ru`)
      await fits('card')
      expect(problems).toEqual([])
      await context.close()
    },
  )

  it('the page returns to the shop two seconds after success and otherwise at once', async () => {
    const { page, context } = await browser.window()
    const paid = await browser.create({ method: 'tpay', return_url: shopUrl })
    // The test moves the time of the page, so that the page does not leave while a busy machine looks at it.
    const start = Date.now()
    await page.clock.install({ time: start })
    await page.goto(`${browser.url}/pay/${paid}`)
    await page.getByRole('link', { name: 'Open T-Pay' }).click()
    await page.clock.pauseAt(start + 3_600_000)
    await page.getByRole('button', { name: 'Confirm' }).click()
    const isPaid = async () => {
      await page.clock.runFor(100)
      return await heading(page, 'Paid').isVisible()
    }
    await expect.poll(isPaid).toBe(true)
    await page.waitForLoadState()
    await page.clock.runFor(1800)
    expect(page.url()).toContain('/pay/')
    await page.clock.runFor(200)
    await page.waitForURL(/\/done/)
    expect(page.url()).toBe(shopUrl.replace('#end', `&payment_id=${paid}&status=succeeded#end`))
    await page.clock.resume()
    const declined = await browser.create({ method: 'sberpay', return_url: shopUrl })
    await page.goto(`${browser.url}/pay/${declined}?view=app`)
    await page.getByRole('button', { name: 'Decline' }).first().click()
    await page.waitForURL(/status=failed/)
    await context.close()
  })

  it('a dropped return leaves the buyer on the page', async () => {
    const { page, context } = await browser.window()
    const id = await browser.create({ method: 'sbp', return_url: shopUrl })
    await page.goto(`${browser.url}/pay/${id}`)
    await page.getByText('Sandbox', { exact: true }).click()
    await page.getByLabel('The buyer never returns').check()
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.locator('[data-fault]').waitFor()
    await page.getByRole('button', { name: 'Decline', exact: true }).click()
    await page.getByText('the buyer did not come back').waitFor()
    await browser.shot(page, 'dropped')
    await page.getByRole('link', { name: 'Return to the shop' }).click()
    await page.waitForURL(/status=failed/)
    await context.close()
  })

  it('the page shows a lost connection and continues when it is back', async () => {
    const { page, context } = await browser.window({ locale: 'ru' })
    const id = await browser.create({ method: 'sbp', amount: 10_068 })
    await page.goto(`${browser.url}/pay/${id}?view=app`)
    await page.getByRole('button', { name: 'Подтвердить' }).click()
    await waitForPage(page, 'Платёж обрабатывается')
    await context.setOffline(true)
    await page.getByText('Нет связи').waitFor()
    await browser.shot(page, 'offline')
    await context.setOffline(false)
    browser.sandbox.engine.execute('act_on_payment', { payment_id: id, act: { action: 'pay' } })
    await waitForPage(page, 'Оплачено')
    await page.getByText('Нет связи').waitFor({ state: 'detached' })
    await context.close()
  })

  it('a form that is sent without a connection stays on the page with what was typed', async () => {
    const { page, context } = await browser.window()
    await page.goto(`${browser.url}/pay/${await browser.create({ method: 'cards' })}`)
    await fillCard(page, '4111111111111111')
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Pay ' }).click()
    await page.getByText('No connection').waitFor()
    expect(await page.getByLabel('Card number').inputValue()).toBe('4111 1111 1111 1111')
    await context.setOffline(false)
    await page.getByText('No connection').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Pay ' }).click()
    await waitForPage(page, 'Paid')
    await context.close()
  })

  it('a form with the token of an earlier server is accepted after the connection is back, and keeps what was typed', async () => {
    const { page, context } = await browser.window()
    await page.goto(`${browser.url}/pay/${await browser.create({ method: 'cards' })}`)
    await fillCard(page, '4111111111111111')
    await page.evaluate(`for (const each of document.querySelectorAll('[name="token"]')) each.value = 'old'`)
    await context.setOffline(true)
    await page.getByText('No connection').waitFor()
    await context.setOffline(false)
    await page.getByText('No connection').waitFor({ state: 'detached' })
    await page.locator('[name="token"]:not([value="old"])').first().waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Pay ' }).click()
    await waitForPage(page, 'Paid')
    await context.close()
  })

  it('a buyer who comes back from the shop can read the receipt', async () => {
    const { page, context } = await browser.window()
    const id = await browser.create({ method: 'tpay', return_url: shopUrl })
    await page.goto(`${browser.url}/pay/${id}`)
    await page.getByRole('link', { name: 'Open T-Pay' }).click()
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.waitForURL(/\/done/)
    await page.goBack()
    await waitForPage(page, 'Paid')
    await page.getByText('Taking you back').waitFor({ state: 'hidden' })
    await page.clock.install()
    await page.clock.runFor(10_000)
    expect(page.url()).toContain(`/pay/${id}`)
    await page.getByRole('link', { name: 'Return to the shop' }).click()
    await page.waitForURL(/\/done/)
    await context.close()
  })

  it('a one-time code with a space can be pasted', async () => {
    const { page, context } = await browser.window()
    await page.goto(`${browser.url}/pay/${await browser.create({ method: 'cards' })}`)
    await fillCard(page, '2200000000010011')
    await page.getByRole('button', { name: 'Pay ' }).click()
    await waitForPage(page, 'Confirm the payment')
    await page.locator('#code').focus()
    await page.keyboard.insertText('123 456')
    expect(await page.locator('#code').inputValue()).toBe('123456')
    await context.close()
  })

  it('the search for a bank says that no bank was found', async () => {
    const { page, context } = await browser.window({ viewport: { width: 320, height: 640 } })
    await page.goto(`${browser.url}/pay/${await browser.create({ method: 'sbp' })}`)
    const search = page.locator('[data-bank-search]')
    await search.fill('zzz')
    await page.locator('main').getByText('No bank found').waitFor()
    await search.fill('')
    await page.locator('main').getByText('No bank found').waitFor({ state: 'detached' })
    await context.close()
  })

  it('a second tab and a reload show the same state', async () => {
    const { page, context, problems } = await browser.window()
    const id = await browser.create()
    await page.goto(`${browser.url}/pay/${id}`)
    const second = await context.newPage()
    await second.goto(`${browser.url}/pay/${id}`)
    await page.getByRole('button', { name: 'Bank card' }).click()
    await fillCard(page, '2200000000010011')
    await page.getByRole('button', { name: 'Pay ' }).click()
    await waitForPage(page, 'Confirm the payment')
    await heading(second, 'Confirm the payment').waitFor()
    await second.reload()
    await second.getByRole('button', { name: 'Decline' }).first().click()
    await heading(second, 'Payment failed').waitFor()
    await waitForPage(page, 'Payment failed')
    expect(problems).toEqual([])
    await context.close()
  })

  it('a delayed return is late, and its fault is counted', async () => {
    const { page, context } = await browser.window()
    const id = await browser.create({ method: 'sbp', return_url: shopUrl })
    const { engine } = browser.sandbox
    const fault = engine.execute('add_fault', {
      target: 'redirect',
      fault: 'delay:1s',
      match: { payment_id: id },
      times: 1,
    })
    await page.goto(`${browser.url}/pay/${id}?view=app&panel=open`)
    expect(await page.locator('[data-fault]').textContent()).toBe('redirect delay:1s, times left: 1')
    const asked = performance.now()
    await page.getByRole('button', { name: 'Decline' }).first().click()
    await page.waitForURL(/status=failed/)
    expect(performance.now() - asked).toBeGreaterThan(1000)
    expect(engine.world.get('faults', fault.id)).toMatchObject({ matched: 1, applied: 1, times: 0 })
    await context.close()
  })

  it("the countdown uses the clock of the sandbox instead of the buyer's", async () => {
    const { page, context } = await browser.window()
    await page.addInitScript('const real = Date.now; Date.now = () => real() - 5 * 365 * 86_400_000')
    await page.goto(`${browser.url}/pay/${await browser.create()}`)
    const shown = page.locator('[data-countdown]')
    expect(await shown.textContent()).toBe('24\u00a0h')
    await browser.sandbox.timeline.advance({ by: 24 * 3_600_000 - 50 * 60_000 })
    await expect.poll(() => shown.textContent()).toMatch(/^(50|49):\d\d$/)
    const first = (await shown.textContent()) ?? ''
    await expect.poll(() => shown.textContent()).not.toBe(first)
    expect(await shown.textContent()).toMatch(/^49:\d\d$/)
    await context.close()
  })

  it('an open page shows that its session has expired by the clock of the sandbox', async () => {
    const { page, context } = await browser.window()
    const id = await browser.create({ method: 'sbp', amount: 10_068 })
    await page.goto(`${browser.url}/pay/${id}?view=app`)
    await page.getByRole('button', { name: 'Confirm' }).click()
    await waitForPage(page, 'Payment in progress')
    await browser.shot(page, 'processing')
    await browser.sandbox.timeline.advance({ by: 20 * 60_000 - 30_000 })
    await page.getByText('Less than a minute left').waitFor({ state: 'attached' })
    await browser.shot(page, 'soon')
    await browser.sandbox.timeline.advance({ by: 30_000 })
    await waitForPage(page, 'Time is up')
    await page.getByText('The bank did not respond in time.').waitFor()
    expect(await page.title()).toMatch(/^Time is up/)
    await browser.shot(page, 'expired')
    expect((await browser.payment(id)).metadata['failure_code']).toBe('session_timeout')
    await context.close()
  })

  it.each([
    ['ru-RU', '', 'Как вы хотите оплатить?', 'ru'],
    ['en-GB', '', 'How would you like to pay?', 'en'],
    ['de-DE', '', 'How would you like to pay?', 'en'],
    ['ru-RU', '?lang=en', 'How would you like to pay?', 'en'],
    ['en-GB', '?lang=ru', 'Как вы хотите оплатить?', 'ru'],
  ])(
    'the page for the locale %s and the query "%s" is in the expected language',
    async (locale, query, title, lang) => {
      const { page, context } = await browser.window({ locale })
      await page.goto(`${browser.url}/pay/${await browser.create()}${query}`)
      await waitForPage(page, title)
      expect(await page.locator('html').getAttribute('lang')).toBe(lang)
      await context.close()
    },
  )

  it.each([1280, 320])('a text of the merchant is escaped and does not break the page at %i px', async (width) => {
    const { page, context, problems } = await browser.window({ viewport: { width, height: 740 } })
    const hostile = `</bdi><script>document.title = 'owned'</script><img src=x onerror="document.title='owned'">\u202Egpj.exe ${'Ж'.repeat(10_000)}`
    for (const method of METHOD_PER_FORM) {
      const id = await browser.create({ method, description: hostile, order_id: hostile })
      await page.goto(`${browser.url}/pay/${id}?view=app`)
      expect(await page.title()).toBe('Payment to Local shop')
      expect(await page.locator('.summary .facts bdi').filter({ hasText: '<script>' }).count()).toBe(2)
      expect(await page.evaluate('document.scripts.length')).toBe(1)
      await fitsWithin(page, width)
      const amount = await page.locator('.amount-value').boundingBox()
      expect(amount?.y).toBeLessThan(300)
    }
    await browser.shot(page, `hostile-${width}`)
    expect(problems).toEqual([])
    await context.close()
  })
})
