import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BrowserRig, browserRig, NO_BROWSER } from './rig.ts'

/** Runs in the page: what has the focus, and whether one sees it. */
const FOCUSED = `(() => {
  const active = document.activeElement
  const label = active instanceof HTMLInputElement ? active.labels?.[0] : active
  return { name: label?.textContent ?? '', outline: getComputedStyle(active).outlineStyle }
})()`

/** What axe-core finds, as `rule: element`. */
async function violations(page: Page): Promise<string[]> {
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
  return page.evaluate<string[]>(`axe.run({ runOnly: ${JSON.stringify(tags)} }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 200))))`)
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })

async function fillCard(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').pressSequentially(number)
  await page.getByLabel('Expires').pressSequentially('1230')
  await page.getByLabel('CVC').fill('123')
}

describe.skipIf(NO_BROWSER !== undefined)(`the hosted page in a browser${NO_BROWSER ? ` (${NO_BROWSER})` : ''}`, () => {
  let rig: BrowserRig
  let shop: Server
  let shopUrl: string
  beforeAll(async () => {
    rig = await browserRig()
    shop = createServer((_, response) => response.end('<title>Shop</title><h1>Thanks</h1>'))
    await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
    shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/done?cart=7#end`
  })
  afterAll(async () => {
    shop.closeAllConnections()
    shop.close()
    await rig.close()
  })

  it('SBP: QR code, bank app, live to success', async () => {
    const { page, faults, context } = await rig.window()
    const id = await rig.create()
    await page.goto(`${rig.url}/pay/${id}`)
    await rig.shot(page, 'choose')
    await page.getByRole('button', { name: 'SBP' }).click()
    expect(await page.getByLabel('Payment link').inputValue()).toBe(`${rig.url}/pay/${id}`)
    await page.getByRole('img', { name: 'QR code' }).waitFor()
    await rig.shot(page, 'sbp')
    await page.getByRole('link', { name: 'Open the bank app' }).click()
    await rig.shot(page, 'sbp-app')
    await page.getByRole('button', { name: 'Confirm' }).dblclick()
    await heading(page, 'Payment in progress').or(heading(page, 'Paid')).waitFor()
    await heading(page, 'Paid').waitFor()
    await rig.shot(page, 'succeeded')
    expect(await rig.payment(id)).toMatchObject({ status: 'succeeded', method: 'sbp' })
    expect(faults).toEqual([])
    await context.close()
  })

  it('a card succeeds', async () => {
    const { page, faults, context } = await rig.window()
    const id = await rig.create({ method: 'cards' })
    await page.goto(`${rig.url}/pay/${id}`)
    await fillCard(page, '5555555555554444')
    expect(await page.getByLabel('Card number').inputValue()).toBe('5555 5555 5555 4444')
    expect(await page.getByLabel('Expires').inputValue()).toBe('12/30')
    expect(await page.locator('[data-brand]').textContent()).toBe('Mastercard')
    await rig.shot(page, 'card')
    await page.getByRole('button', { name: 'Pay ' }).click()
    await heading(page, 'Paid').waitFor()
    expect(await rig.payment(id)).toMatchObject({ customer_card_mask: '555555******4444' })
    expect(faults).toEqual([])
    await context.close()
  })

  it('a card declines, and mistakes are caught before anything is sent', async () => {
    const { page, context } = await rig.window({ colorScheme: 'dark' })
    const id = await rig.create({ method: 'cards' })
    await page.goto(`${rig.url}/pay/${id}`)
    await page.getByRole('button', { name: 'Pay ' }).click()
    await page.getByText('Check the card number').waitFor()
    expect(await page.getByLabel('Card number').and(page.locator(':focus')).count()).toBe(1)
    await rig.shot(page, 'card-errors-dark')
    await page.getByText('Test cards').click()
    await page.getByRole('link', { name: 'failed:insufficient_funds' }).first().click()
    await rig.shot(page, 'card-picker-dark')
    await page.getByRole('button', { name: 'Pay ' }).click()
    await heading(page, 'Payment failed').waitFor()
    await page.getByText('There is not enough money').waitFor()
    await rig.shot(page, 'failed-dark')
    expect((await rig.payment(id)).metadata['failure_code']).toBe('insufficient_funds')
    await context.close()
  })

  it('3-D Secure, confirmed', async () => {
    const { page, context } = await rig.window()
    const id = await rig.create({ method: 'cards' })
    await page.goto(`${rig.url}/pay/${id}`)
    await fillCard(page, '4000000000003220')
    await page.getByRole('button', { name: 'Pay ' }).click()
    await heading(page, 'Confirm the payment').waitFor()
    await rig.shot(page, '3ds')
    await page.getByRole('button', { name: 'Confirm' }).click()
    await heading(page, 'Paid').waitFor()
    await context.close()
  })

  it('keyboard only: choose a card, pay, arrive', async () => {
    const { page, context } = await rig.window()
    const id = await rig.create()
    await page.goto(`${rig.url}/pay/${id}`)
    const tabTo = async (name: RegExp) => {
      for (let i = 0; i < 40; i++) {
        await page.keyboard.press('Tab')
        const shown = await page.evaluate<{ name: string; outline: string }>(FOCUSED)
        if (name.test(shown.name)) {
          expect(shown.outline).not.toBe('none')
          return
        }
      }
      throw new Error(`Tab never reaches ${name}`)
    }
    await tabTo(/Bank card/)
    await page.keyboard.press('Enter')
    await heading(page, 'Pay by card').waitFor()
    await tabTo(/Card number/)
    await page.keyboard.type('2200000000010003')
    await tabTo(/Expires/)
    await page.keyboard.type('1230')
    await tabTo(/CVC/)
    await page.keyboard.type('123')
    await page.keyboard.press('Enter')
    await heading(page, 'Paid').waitFor()
    await context.close()
  })

  it('without a script: forms and reloads lead to the end', async () => {
    const { page, context } = await rig.window({ javaScriptEnabled: false })
    const id = await rig.create()
    await page.goto(`${rig.url}/pay/${id}`)
    await page.getByRole('button', { name: 'Bank card' }).click()
    await page.getByText('Test cards').click()
    await page.getByRole('link', { name: '4242' }).click()
    await page.getByRole('button', { name: 'Pay ' }).click()
    await heading(page, 'Paid').waitFor()
    await context.close()
  })

  it.each(['light', 'dark'] as const)('fits 320 px, in Russian, %s', async (colorScheme) => {
    const { page, context, faults } = await rig.window({
      viewport: { width: 320, height: 640 },
      locale: 'ru-RU',
      colorScheme,
    })
    const id = await rig.create({ description: `${'Оченьдлинноеназвание'.repeat(40)}`, order_id: 'X'.repeat(300) })
    const fits = async (name: string) => {
      await rig.shot(page, `ru-320-${name}-${colorScheme}`)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320)
    }
    await page.goto(`${rig.url}/pay/${id}`)
    await page.getByText('Песочница').click()
    await fits('choose-panel')
    await page.getByRole('button', { name: 'СБП' }).click()
    await fits('sbp')
    await page.getByLabel('Название банка').fill('альфа')
    await page.getByRole('link', { name: 'Альфа-Банк' }).click()
    await fits('app')
    await page.getByRole('button', { name: 'Отклонить' }).first().click()
    await heading(page, 'Платёж не прошёл').waitFor()
    await fits('failed')
    const cards = await rig.create({ method: 'cards' })
    await page.goto(`${rig.url}/pay/${cards}?lang=ru`)
    await fits('card')
    expect(faults).toEqual([])
    await context.close()
  })

  it('leads back to the shop: after success in two seconds, otherwise at once', async () => {
    const { page, context } = await rig.window()
    const paid = await rig.create({ method: 'tpay', return_url: shopUrl })
    await page.goto(`${rig.url}/pay/${paid}`)
    await page.getByRole('link', { name: 'Open T-Pay' }).click()
    await page.getByRole('button', { name: 'Confirm' }).click()
    await heading(page, 'Paid').waitFor()
    const seen = performance.now()
    await page.waitForURL(/\/done/)
    expect(performance.now() - seen).toBeGreaterThan(1500)
    expect(page.url()).toBe(shopUrl.replace('#end', `&payment_id=${paid}&status=succeeded#end`))
    const declined = await rig.create({ method: 'sberpay', return_url: shopUrl })
    await page.goto(`${rig.url}/pay/${declined}?view=app`)
    await page.getByRole('button', { name: 'Decline' }).first().click()
    await page.waitForURL(/status=failed/)
    await context.close()
  })

  it('leads back without a script too', async () => {
    const { page, context } = await rig.window({ javaScriptEnabled: false })
    const id = await rig.create({ method: 'sberpay', return_url: shopUrl })
    await page.goto(`${rig.url}/pay/${id}?view=app`)
    await page.getByRole('button', { name: 'Decline' }).first().click()
    await page.waitForURL(/status=failed/)
    await context.close()
  })

  it('a dropped return leaves the buyer on the page', async () => {
    const { page, context } = await rig.window()
    const id = await rig.create({ method: 'sbp', return_url: shopUrl })
    await page.goto(`${rig.url}/pay/${id}`)
    await page.getByText('Sandbox', { exact: true }).click()
    await page.getByLabel('The buyer never returns').check()
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('Sandbox', { exact: true }).click()
    await page.getByRole('button', { name: 'Decline', exact: true }).click()
    await page.getByText('this buyer never came back').waitFor()
    await rig.shot(page, 'dropped')
    await page.getByRole('link', { name: 'Return to the shop' }).click()
    await page.waitForURL(/status=failed/)
    await context.close()
  })

  it('says when the connection is lost, and goes on when it is back', async () => {
    const { page, context } = await rig.window({ locale: 'ru' })
    const id = await rig.create({ method: 'sbp', amount: 10_068 })
    await page.goto(`${rig.url}/pay/${id}?view=app`)
    await page.getByRole('button', { name: 'Подтвердить' }).click()
    await heading(page, 'Платёж обрабатывается').waitFor()
    await context.setOffline(true)
    await page.getByText('Нет связи').waitFor()
    await rig.shot(page, 'offline')
    await context.setOffline(false)
    rig.sandbox.engine.execute('act_on_payment', { payment_id: id, act: { action: 'pay' } })
    await heading(page, 'Оплачено').waitFor()
    await page.getByText('Нет связи').waitFor({ state: 'detached' })
    await context.close()
  })

  it('a second tab and a reload agree', async () => {
    const { page, context, faults } = await rig.window()
    const id = await rig.create()
    await page.goto(`${rig.url}/pay/${id}`)
    const second = await context.newPage()
    await second.goto(`${rig.url}/pay/${id}`)
    await page.getByRole('button', { name: 'Bank card' }).click()
    await heading(second, 'Pay by card').waitFor()
    await fillCard(second, '2200000000010011')
    await second.getByRole('button', { name: 'Pay ' }).click()
    await heading(page, 'Confirm the payment').waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Decline' }).first().click()
    await heading(second, 'Payment failed').waitFor()
    await heading(page, 'Payment failed').waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  it.each([
    ['choose', {}, ''],
    ['sbp', { method: 'sbp' }, ''],
    ['bank app', { method: 'sbp' }, '?view=app&bank=100000000008'],
    ['T-Pay', { method: 'tpay' }, ''],
    ['SberPay app', { method: 'sberpay' }, '?view=app'],
    ['card', { method: 'cards' }, ''],
    ['card with mistakes', { method: 'cards' }, 'submit'],
    ['failed', { method: 'sbp', amount: 10_073 }, ''],
    ['missing', undefined, ''],
  ])('axe finds nothing against WCAG 2.2 AA, light, dark, wide and narrow: %s', async (_, body, query) => {
    const { page, context } = await rig.window()
    const id = body === undefined ? 'gone' : await rig.create(body)
    await page.goto(`${rig.url}/pay/${id}${query === 'submit' ? '' : query}`)
    for (const details of await page.locator('summary').all()) await details.click()
    if (query === 'submit') await page.getByRole('button', { name: 'Pay ' }).click()
    await page.evaluate(axe.source)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const width of [1280, 360]) {
        await page.setViewportSize({ width, height: 740 })
        expect(await violations(page)).toEqual([])
      }
    }
    await context.close()
  })

  it('the panel says what was planned, and steers', async () => {
    const { page, context } = await rig.window()
    const id = await rig.create({ amount: 150_051 })
    await page.goto(`${rig.url}/pay/${id}`)
    await page.getByText('Sandbox', { exact: true }).click()
    expect(await page.locator('[data-plan]').textContent()).toContain('declines with insufficient_funds')
    expect(await page.locator('[data-why]').textContent()).toBe('the magic amount (a round hundred and 51)')
    await rig.shot(page, 'panel')
    await page.getByRole('button', { name: 'Approve' }).click()
    await heading(page, 'Paid').waitFor()
    await context.close()
  })
})
