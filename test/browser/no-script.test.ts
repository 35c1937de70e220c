// Every action of the page as a plain form, in a browser without JavaScript.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { METHOD_DISPLAY } from '../../src/http/pages/method-display.ts'
import { WALLETS } from '../http/pages/methods.ts'
import { heading } from './buyer.ts'
import { type BrowserFixture, createBrowserFixture, describeInBrowser } from './fixtures.ts'

/** A form with mistakes gets a 422, which the browser logs as an error. */
const EXPECTED = /status of 422/

describeInBrowser('the hosted page without a script', () => {
  let browser: BrowserFixture
  let shop: Server
  let shopUrl: string
  beforeAll(async () => {
    browser = await createBrowserFixture()
    shop = createServer((_, response) => response.end('<title>Shop</title><h1>Thanks</h1>'))
    await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
    shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/done?cart=7`
  })
  afterAll(async () => {
    shop.closeAllConnections()
    shop.close()
    await browser.close()
  })

  /** Opens a payment's page and runs the actions. The test fails if the browser logs a problem. */
  async function on(body: object, act: (page: Page, id: string) => Promise<void>, query = ''): Promise<void> {
    const { page, context, problems } = await browser.window({
      javaScriptEnabled: false,
      viewport: { width: 390, height: 800 },
    })
    const id = await browser.create(body)
    await page.goto(`${browser.url}/pay/${id}${query}`)
    await act(page, id)
    expect(problems.filter((problem) => !EXPECTED.test(problem) && !problem.startsWith(shopUrl))).toEqual([])
    await context.close()
  }

  it('the buyer can choose SBP, search for a bank, confirm in its app and see the result', () =>
    on({}, async (page, id) => {
      await page.getByRole('button', { name: 'SBP' }).click()
      await page.getByLabel('Bank name').fill('ALFA')
      await page.getByRole('button', { name: 'Find' }).click()
      expect(await page.locator('[data-bank]:visible').count()).toBe(1)
      await browser.shot(page, 'no-script-search')
      await page.getByRole('link', { name: 'Alfa-Bank' }).click()
      await page.getByRole('button', { name: 'Confirm' }).click()
      await heading(page, 'Paid').waitFor()
      expect(await browser.payment(id)).toMatchObject({ customer_payer_bank: 'Альфа-Банк' })
    }))

  it('a bank search without results shows a message', () =>
    on(
      { method: 'sbp' },
      async (page) => {
        await page.getByText('No bank found').waitFor()
        await browser.shot(page, 'no-script-no-bank')
      },
      '?q=zzz',
    ))

  it('a refresh shows a payment that was made elsewhere', () =>
    on({ method: 'sbp' }, async (page, id) => {
      browser.sandbox.engine.execute('act_on_payment', { payment_id: id, act: { action: 'pay' } })
      await page.getByRole('link', { name: 'Refresh the page' }).click()
      await heading(page, 'Paid').waitFor()
    }))

  it.each(WALLETS.map((method) => [method, METHOD_DISPLAY[method].name[0]]))(
    'the buyer can open the app of %s and confirm',
    (method, name) =>
      on({ method }, async (page) => {
        await page.getByRole('link', { name: `Open ${name}` }).click()
        await page.getByRole('button', { name: 'Confirm' }).click()
        await heading(page, 'Paid').waitFor()
      }),
  )

  it('the buyer can correct a card form, use a test card and confirm with 3-D Secure', () =>
    on({ method: 'cards' }, async (page) => {
      await page.getByLabel('Card number').fill('1234')
      await page.getByRole('button', { name: 'Pay ' }).click()
      await page.getByText('The card number is not valid').waitFor()
      expect(await page.getByLabel('Card number').getAttribute('aria-invalid')).toBe('true')
      await browser.shot(page, 'no-script-card-errors')
      await page.getByText('Test cards', { exact: true }).click()
      await page.getByRole('link', { name: '4000 0000 0000 3220' }).click()
      await page.getByRole('button', { name: 'Pay ' }).click()
      await page.getByLabel('Code from your bank').fill('999999')
      await page.getByRole('button', { name: 'Confirm' }).click()
      await page.getByText('This code has expired').waitFor()
      await page.getByRole('button', { name: 'New code' }).click()
      await page.getByText('The bank has sent a new code').waitFor()
      await browser.shot(page, 'no-script-3ds')
      await page.getByRole('link', { name: '123456' }).click()
      expect(await page.getByLabel('Code from your bank').inputValue()).toBe('123456')
      await page.getByRole('button', { name: 'Confirm' }).click()
      await heading(page, 'Paid').waitFor()
    }))

  it('the button below four wrong fields of a card is above the fold of a phone', () =>
    on({ method: 'cards', description: 'Two tickets, row 7' }, async (page) => {
      await page.setViewportSize({ width: 320, height: 640 })
      await page.getByLabel('Card number').fill('1234')
      await page.getByLabel('Expires').fill('01/20')
      await page.getByLabel('CVC').fill('1')
      await page.getByLabel('Name on card').fill('1234')
      await page.getByRole('button', { name: 'Pay ' }).click()
      await page.getByText('The card number is not valid').waitFor()
      const box = await page.getByRole('button', { name: 'Pay ' }).boundingBox()
      expect((box?.y ?? 1000) + (box?.height ?? 0)).toBeLessThanOrEqual(640)
    }))

  it('the buyer can change the method without a script', () =>
    on({}, async (page, id) => {
      await page.getByRole('button', { name: 'SBP' }).click()
      await page.getByRole('link', { name: 'T-Pay' }).click()
      await page.getByRole('link', { name: 'Open T-Pay' }).click()
      await page.getByRole('button', { name: 'Confirm' }).click()
      await heading(page, 'Paid').waitFor()
      expect(await browser.payment(id)).toMatchObject({ method: 'tpay' })
    }))

  it.each([
    ['Approve', '', 'Paid'],
    ['Decline', 'card_stolen', 'Payment failed'],
    ['Let expire', '', 'Time is up'],
  ])('the button %s on the panel ends the payment with the code "%s"', (button, code, title) =>
    on({}, async (page, id) => {
      await page.getByText('Sandbox', { exact: true }).click()
      if (code !== '') await page.getByLabel('Decline code').selectOption(code)
      await page.getByRole('button', { name: button, exact: true }).click()
      await heading(page, title).waitFor()
      if (code !== '') expect((await browser.payment(id)).metadata['failure_code']).toBe(code)
      // After an action, the panel stays open.
      await page.getByText('The payment has a final status').waitFor()
    }),
  )

  it('the panel can approve the payment after a delay', () =>
    on({ method: 'sbp' }, async (page, id) => {
      await page.getByText('Sandbox', { exact: true }).click()
      await page.getByLabel('When').selectOption('120000')
      await page.getByRole('button', { name: 'Approve', exact: true }).click()
      await heading(page, 'Payment in progress').waitFor()
      expect(await page.locator('[data-plan]').textContent()).toBe('the bank approves, after 2\u00a0min')
      await browser.sandbox.timeline.advance({ by: 120_000 })
      await heading(page, 'Paid').waitFor()
      expect(browser.statuses(id)).toEqual(['processing', 'succeeded'])
    }))

  it('the panel can set the order of webhook and return', () =>
    on({ method: 'sbp', return_url: shopUrl }, async (page, id) => {
      await page.getByText('Sandbox', { exact: true }).click()
      await page.getByLabel('The buyer never returns').check()
      await page.getByRole('button', { name: 'Apply' }).click()
      expect(await page.getByLabel('The buyer never returns').isChecked()).toBe(true)
      expect(await page.locator('[data-fault]').textContent()).toBe('redirect drop')
      await page.getByRole('button', { name: 'Decline', exact: true }).click()
      await page.getByText('the buyer did not come back').waitFor()
      expect((await browser.payment(id))['status']).toBe('failed')
    }))

  it('the page returns to the shop', () =>
    on(
      { method: 'sberpay', return_url: shopUrl },
      async (page, id) => {
        await page.getByRole('button', { name: 'Decline' }).first().click()
        await page.waitForURL(`${shopUrl}&payment_id=${id}&status=failed`)
      },
      '?view=app',
    ))
})
