// The journey of a tester among 10,000 payments, without a terminal.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type BrowserFixture, createBrowserFixture, describeInBrowser } from '../fixtures.ts'
import { createReceiver, type Receiver } from './fixtures.ts'

const MANY = 10_000

/** Elements that the page may have, however long the list is. */
const MAX_NODES = 1500

describeInBrowser('a dashboard with 10,000 payments', () => {
  let browser: BrowserFixture
  let receiver: Receiver
  let isFixed = false
  beforeAll(async () => {
    browser = await createBrowserFixture({ clock: { mode: 'frozen' } })
    const { engine } = browser.sandbox
    const plan = { outcome: 'requires_action' } as const
    for (let at = 0; at < MANY; at++) {
      const input = { amount: 100 + at, currency: 'RUB', method: 'sbp' as const, order_id: `A-${at}`, metadata: {} }
      engine.execute('create_payment', { caller: browser.caller(), input, plan })
    }
    receiver = await createReceiver((response) => response.writeHead(isFixed ? 200 : 400).end('wrong signature'))
    engine.execute('create_endpoint', { shop_id: browser.caller().shop_id, input: { url: receiver.url } })
  })
  afterAll(async () => {
    receiver.close()
    await browser.close()
  })

  it('a tester finds the payment of an order, sees why its webhook failed, sends it again and moves the clock', async () => {
    const { page, context, problems } = await browser.window({ viewport: { width: 1920, height: 1080 } })
    context.setDefaultTimeout(30_000)
    const nodes = () => page.evaluate<number>('document.querySelectorAll("*").length')
    const detail = page.getByRole('article')
    await page.goto(`${browser.url}/`)
    await page.locator('.count').filter({ hasText: '10,000' }).waitFor()
    expect(await nodes()).toBeLessThanOrEqual(MAX_NODES)
    await page.evaluate(`document.querySelector('.table-scroll').scrollTop = ${36 * 5000}`)
    await page.getByRole('row').filter({ hasText: 'A-4990' }).waitFor()
    expect(await nodes()).toBeLessThanOrEqual(MAX_NODES)

    await page.keyboard.press('/')
    await page.keyboard.type('A-1042')
    await page.getByRole('row').filter({ hasText: 'A-1042' }).getByRole('link').click()
    await detail.getByRole('button', { name: 'Pay', exact: true }).click()
    await detail.locator('summary').filter({ hasText: '400' }).click()
    await detail.getByText('wrong signature').waitFor()
    await detail.getByRole('button', { name: 'Advance the clock to here' }).click()
    await detail.getByText('attempt 2 of payment.succeeded').waitFor()
    isFixed = true
    await detail.getByRole('button', { name: 'Resend' }).click()
    await detail.getByText('delivered').waitFor()
    expect(await nodes()).toBeLessThanOrEqual(MAX_NODES)
    expect(problems).toEqual([])
    await context.close()
  })
})
