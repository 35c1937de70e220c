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
  let oldestId = ''
  beforeAll(async () => {
    browser = await createBrowserFixture({ clock: { mode: 'frozen' } })
    const { engine } = browser.sandbox
    const plan = { outcome: 'requires_action' } as const
    const old = { amount: 100, currency: 'RUB', method: 'sbp' as const, order_id: 'OLDEST-1', metadata: {} }
    oldestId = engine.execute('create_payment', { caller: browser.caller(), input: old, plan }).object.id
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
    await page.keyboard.press('Enter')
    await detail.getByRole('button', { name: 'Pay', exact: true }).click()
    await detail.locator('summary').filter({ hasText: '400' }).click()
    await detail.getByText('wrong signature').first().waitFor()
    await detail.getByRole('button', { name: 'Advance the clock to here' }).click()
    await detail.getByText('attempt 2 of payment.succeeded').waitFor()
    isFixed = true
    await detail.getByRole('button', { name: 'Resend' }).click()
    await detail.getByText('delivered').waitFor()
    expect(await nodes()).toBeLessThanOrEqual(MAX_NODES)
    expect(problems).toEqual([])
    await context.close()
  })

  it('no list says that it is empty, and no number looks complete, while the lists are being read', async () => {
    const { page, context } = await browser.window()
    const held: (() => void)[] = []
    let isHeld = true
    // The first page of each list arrives, and each later one waits.
    await page.route('**/_psp/*cursor=*', async (route) => {
      if (isHeld) await new Promise<void>((resolve) => held.push(resolve))
      await route.continue()
    })
    const count = page.locator('.count')
    await page.goto(`${browser.url}/ui/payments?q=A-1042`)
    await count.getByText('Loading… 100 so far').waitFor()
    expect(await page.getByText('Nothing matches').count()).toBe(0)
    await page.getByRole('link', { name: 'Webhooks' }).click()
    await count.getByText('Loading…', { exact: true }).waitFor()
    expect(await page.getByText('No webhooks yet').count()).toBe(0)
    await page.getByRole('link', { name: 'Refunds' }).click()
    await page.locator('.list-side .loading').waitFor()
    await page.getByRole('link', { name: 'Start' }).click()
    await page.getByRole('status').filter({ hasText: 'Loading… 100 so far' }).waitFor()
    isHeld = false
    for (const resolve of held.splice(0)) resolve()
    await page.getByText('Payments: 10,000.').waitFor()
    await context.close()
  })

  it('an exact order is found and opened while the list is being read, and nothing looks complete', async () => {
    const { page, context } = await browser.window({ viewport: { width: 1600, height: 900 } })
    // Only the first page of each list arrives.
    await page.route('**/_psp/*cursor=*', () => {})
    await page.goto(`${browser.url}/ui/payments`)
    await page.locator('.count').getByText('Loading… 100 so far').waitFor()
    await page.locator('.connection').getByText('Loading…', { exact: true }).waitFor()
    await page.getByRole('row').filter({ hasText: 'A-9990' }).getByText('…', { exact: true }).waitFor()
    await page.keyboard.press('/')
    // The first page contains A-9990 to A-9999, which are not meant.
    await page.keyboard.type('A-999')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Order A-999', exact: true }).waitFor()
    await page.getByRole('searchbox').fill(oldestId)
    await page.getByRole('searchbox').press('Enter')
    await page.getByRole('heading', { name: 'Order OLDEST-1', exact: true }).waitFor()
    await page.goto(`${browser.url}/ui/payments?webhook=ok`)
    await page.locator('.list-side .loading').waitFor()
    expect(await page.getByText('Nothing matches').count()).toBe(0)
    await page.goto('about:blank')
    await context.close()
  })

  it('a payment that is older than the list is found by its order number and by its id', async () => {
    const { page, context } = await browser.window()
    await page.goto(`${browser.url}/ui/payments?q=OLDEST-1`)
    await page.getByRole('row').filter({ hasText: 'OLDEST-1' }).waitFor()
    await page.getByRole('searchbox').fill(oldestId)
    await page.getByRole('row').filter({ hasText: 'OLDEST-1' }).waitFor()
    await page.getByRole('searchbox').fill('NO-SUCH-ORDER')
    await page.getByText('Only the newest 10,000 are shown').waitFor()
    await context.close()
  })
})
