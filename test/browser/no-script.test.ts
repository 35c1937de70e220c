// Every act of the page as a plain form, in a browser that runs no script.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { METHOD_DISPLAY } from '../../src/http/pages/method-display.ts'
import { WALLETS } from '../http/pages/methods.ts'
import { heading } from './buyer.ts'
import { type BrowserRig, browserRig, describeInBrowser } from './fixtures.ts'

/** A form with mistakes is answered 422, which the browser notes. */
const EXPECTED = /status of 422/

describeInBrowser('the hosted page without a script', () => {
  let rig: BrowserRig
  let shop: Server
  let shopUrl: string
  beforeAll(async () => {
    rig = await browserRig()
    shop = createServer((_, response) => response.end('<title>Shop</title><h1>Thanks</h1>'))
    await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
    shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/done?cart=7`
  })
  afterAll(async () => {
    shop.closeAllConnections()
    shop.close()
    await rig.close()
  })

  /** Opens a payment's page and hands it over; what the browser complains about is a fault. */
  async function on(body: object, act: (page: Page, id: string) => Promise<void>, query = ''): Promise<void> {
    const { page, context, faults } = await rig.window({
      javaScriptEnabled: false,
      viewport: { width: 390, height: 800 },
    })
    const id = await rig.create(body)
    await page.goto(`${rig.url}/pay/${id}${query}`)
    await act(page, id)
    expect(faults.filter((fault) => !EXPECTED.test(fault) && !fault.startsWith(shopUrl))).toEqual([])
    await context.close()
  }

  it('SBP: choose, search a bank, confirm in its app, see the end', () =>
    on({}, async (page, id) => {
      await page.getByRole('button', { name: 'SBP' }).click()
      await page.getByLabel('Bank name').fill('ALFA')
      await page.getByRole('button', { name: 'Find' }).click()
      expect(await page.locator('[data-bank]:visible').count()).toBe(1)
      await rig.shot(page, 'no-script-search')
      await page.getByRole('link', { name: 'Alfa-Bank' }).click()
      await page.getByRole('button', { name: 'Confirm' }).click()
      await heading(page, 'Paid').waitFor()
      expect(await rig.payment(id)).toMatchObject({ customer_payer_bank: 'Альфа-Банк' })
    }))

  it('a search that finds nothing says so', () =>
    on(
      { method: 'sbp' },
      async (page) => {
        await page.getByText('No bank found').waitFor()
        await rig.shot(page, 'no-script-no-bank')
      },
      '?q=zzz',
    ))

  it('a payment made elsewhere is seen by looking again', () =>
    on({ method: 'sbp' }, async (page, id) => {
      rig.sandbox.engine.execute('act_on_payment', { payment_id: id, act: { action: 'pay' } })
      await page.getByRole('link', { name: 'Look again' }).click()
      await heading(page, 'Paid').waitFor()
    }))

  it.each(WALLETS.map((method) => [method, METHOD_DISPLAY[method].name[0]]))(
    '%s: open the app, confirm',
    (method, name) =>
      on({ method }, async (page) => {
        await page.getByRole('link', { name: `Open ${name}` }).click()
        await page.getByRole('button', { name: 'Confirm' }).click()
        await heading(page, 'Paid').waitFor()
      }),
  )

  it('card: mistakes, a test card from the list, 3-D Secure, the end', () =>
    on({ method: 'cards' }, async (page) => {
      await page.getByLabel('Card number').fill('1234')
      await page.getByRole('button', { name: 'Pay ' }).click()
      await page.getByText('Check the card number').waitFor()
      expect(await page.getByLabel('Card number').getAttribute('aria-invalid')).toBe('true')
      await rig.shot(page, 'no-script-card-errors')
      await page.getByText('Test cards', { exact: true }).click()
      await page.getByRole('link', { name: '4000 0000 0000 3220' }).click()
      await page.getByRole('button', { name: 'Pay ' }).click()
      await page.getByRole('button', { name: 'Confirm' }).click()
      await heading(page, 'Paid').waitFor()
    }))

  it.each([
    ['Approve', '', 'Paid'],
    ['Decline', 'card_stolen', 'Payment failed'],
    ['Let expire', '', 'Time is up'],
  ])('the panel: %s %s', (button, code, title) =>
    on({}, async (page, id) => {
      await page.getByText('Sandbox', { exact: true }).click()
      if (code !== '') await page.getByLabel('Decline code').selectOption(code)
      await page.getByRole('button', { name: button, exact: true }).click()
      await heading(page, title).waitFor()
      if (code !== '') expect((await rig.payment(id)).metadata['failure_code']).toBe(code)
      // Who steers keeps the panel.
      await page.getByText('The payment is final').waitFor()
    }),
  )

  it('the panel: after a delay', () =>
    on({ method: 'sbp' }, async (page, id) => {
      await page.getByText('Sandbox', { exact: true }).click()
      await page.getByLabel('When').selectOption('120000')
      await page.getByRole('button', { name: 'Approve', exact: true }).click()
      await heading(page, 'Payment in progress').waitFor()
      expect(await page.locator('[data-plan]').textContent()).toBe('the bank approves, after 2\u00a0min')
      await rig.sandbox.timeline.advance({ by: 120_000 })
      await heading(page, 'Paid').waitFor()
      expect(rig.statuses(id)).toEqual(['processing', 'succeeded'])
    }))

  it('the panel: the order of webhook and return', () =>
    on({ method: 'sbp', return_url: shopUrl }, async (page, id) => {
      await page.getByText('Sandbox', { exact: true }).click()
      await page.getByLabel('The buyer never returns').check()
      await page.getByRole('button', { name: 'Apply' }).click()
      expect(await page.getByLabel('The buyer never returns').isChecked()).toBe(true)
      expect(await page.locator('[data-fault]').textContent()).toBe('redirect drop')
      await page.getByRole('button', { name: 'Decline', exact: true }).click()
      await page.getByText('this buyer never came back').waitFor()
      expect((await rig.payment(id))['status']).toBe('failed')
    }))

  it('leads back to the shop', () =>
    on(
      { method: 'sberpay', return_url: shopUrl },
      async (page, id) => {
        await page.getByRole('button', { name: 'Decline' }).first().click()
        await page.waitForURL(`${shopUrl}&payment_id=${id}&status=failed`)
      },
      '?view=app',
    ))
})
