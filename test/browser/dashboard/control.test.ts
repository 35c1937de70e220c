// The journeys through webhooks, endpoints, events, requests, the simulator, the clock, the data and the test shop in the dashboard.
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { DEFAULT_SHOP } from '../../../src/domain/default-shop.ts'
import { type BrowserFixture, createBrowserFixture, describeInBrowser, fitsWithin } from '../fixtures.ts'
import { createReceiver, dashboardParts, type Receiver } from './fixtures.ts'

describeInBrowser('the controls of the dashboard', () => {
  let browser: BrowserFixture
  let receiver: Receiver
  let status = 500
  beforeAll(async () => {
    browser = await createBrowserFixture({ clock: { mode: 'frozen' } })
    receiver = await createReceiver((response) => response.writeHead(status).end('<b>out of order</b>'))
  })
  afterAll(async () => {
    receiver.close()
    await browser.close()
  })

  let opened: Awaited<ReturnType<BrowserFixture['window']>>
  let page: Page
  beforeEach(async () => {
    opened = await browser.window({ permissions: ['clipboard-read', 'clipboard-write'] })
    page = opened.page
  })
  afterEach(async () => {
    await opened.context.close()
    // The browser logs each refused request.
    expect(opened.problems.filter((text) => !text.includes('status of 400'))).toEqual([])
  })

  const { button, card, row, detail, toast, confirm } = dashboardParts(() => page)
  const open = async (view: string) => {
    await page.goto(`${browser.url}/ui/${view}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
  }

  it('an endpoint is added, its failed webhook is explained, resent, and listed as delivered', async () => {
    await open('endpoints')
    await page.getByLabel('Receiver').fill(receiver.url)
    await button('Add an endpoint').click()
    await toast('The endpoint was added.')
    expect(await page.getByText(/^whs_/).isVisible()).toBe(false)
    await page.getByText('Show the new secret').click()
    await page.getByText(/^whs_/).waitFor()
    await page.getByText('Edit', { exact: true }).click()
    await page.getByLabel('Events').fill('payment.succeeded, payment.failed')
    await button('Save').click()
    await page.getByText('payment.succeeded, payment.failed').waitFor()
    expect(await page.getByLabel('URL').inputValue()).toBe(receiver.url)

    const id = await browser.create({ order_id: 'A-1042' })
    browser.sandbox.engine.execute('act_on_payment', { payment_id: id, act: { action: 'pay' } })
    await browser.sandbox.timeline.advance({ by: 1000 })
    await open('webhooks')
    await row('payment.succeeded').getByRole('link').click()
    await detail().getByText('500').first().click()
    await page.getByText('<b>out of order</b>', { exact: true }).waitFor()
    status = 200
    await button('Resend').click()
    await toast(/Sent: 200/)
    await detail().getByText('delivered').waitFor()
  })

  it('an event is replayed to another URL, and a request shows what decided its outcome', async () => {
    await open('events')
    await row('A-1042').getByRole('link').click()
    await page.getByLabel('Replay to a URL').fill(`${receiver.url}/other`)
    await detail().getByText(`${DEFAULT_SHOP.name} ${browser.sandbox.defaultShop().shop_id}`).waitFor()
    expect(
      await detail()
        .getByRole('button', { name: /^Replay/ })
        .allTextContents(),
    ).toEqual(['Replay', 'Replay to this URL'])
    await button('Replay to this URL').click()
    await toast(/\/hooks\/other/)
    await open('requests')
    await row('POST /v1/public/payments').first().getByRole('link').click()
    await detail().getByText('decided by').waitFor()
    await button('Copy as curl').click()
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain('curl -X POST')
  })

  it('the body of a request is indented, and its numbers are shown as they were sent', async () => {
    const { api_key } = browser.sandbox.defaultShop()
    await fetch(`${browser.url}/v1/public/payments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
      body: '{"amount":15000.0,"order_id":"RAW-1"}',
    })
    await open('requests')
    await row('POST /v1/public/payments').first().getByRole('link').click()
    await expect
      .poll(() => detail().locator('.body').allTextContents())
      .toContain('{\n  "amount": 15000.0,\n  "order_id": "RAW-1"\n}')
  })

  it('a rule, a fault and a setting are changed, and removed', async () => {
    await open('simulator')
    const rules = card('Rules')
    await rules.getByLabel('Outcome').fill('failed:call_issuer')
    await rules.getByLabel('Match').fill('order_id=R-*')
    await rules.getByLabel('Times').fill('2')
    await rules.getByRole('button', { name: 'Add a rule' }).click()
    await rules.getByText('order_id=R-*').waitFor()
    const titles = await rules.getByRole('columnheader').allTextContents()
    expect(titles).toEqual(['What', 'Match', 'Remaining', 'Applied'])
    await browser.create({ order_id: 'R-1' })
    await rules.getByRole('cell', { name: '1', exact: true }).first().waitFor()
    await rules.getByRole('button', { name: 'Delete' }).click()
    await rules.getByText('No rules.').waitFor()
    await page.getByLabel('usdt_rate').fill('nonsense')
    await page.getByLabel('usdt_rate').press('Enter')
    await toast(/usdt_rate/)
    await page.getByLabel('default_outcome').fill('pending')
    await page.getByLabel('default_outcome').press('Enter')
    await toast('default_outcome was saved.')
    await page.getByLabel('default_outcome').fill('')
    await page.getByLabel('default_outcome').press('Enter')
    await expect.poll(() => page.getByLabel('default_outcome').inputValue()).toBe('succeeded')
  })

  it('the clock advances to a scheduled step, and an impossible time is refused', async () => {
    await browser.create({ order_id: 'C-1' })
    await open('clock')
    const schedule = await fetch(`${browser.url}/_psp/clock/schedule`)
    const { total } = (await schedule.json()) as { total: number }
    await page.getByRole('heading', { name: `Scheduled steps: ${total}`, exact: true }).waitFor()
    const before = await page.locator('.big').textContent()
    await button('Advance the clock to here').first().click()
    await toast(/The clock advanced/)
    await expect.poll(() => page.locator('.big').textContent()).not.toBe(before)
    await page.getByLabel('Duration or time').fill('yesterday')
    await button('Advance').click()
    await page.locator('.toast').filter({ hasText: 'yesterday' }).waitFor()
  })

  it('a snapshot is taken and restored, a key is created and shown only on request, and a reset asks first', async () => {
    await open('data')
    await card('Snapshots').getByLabel('Name').fill('before')
    await button('Take a snapshot').click()
    await toast('Snapshot taken.')
    await button('Create a test key').click()
    await toast('Key created.')
    await card('New shop').getByLabel('Name').fill('Second shop')
    await button('Create a shop').click()
    await card('Second shop').waitFor()
    expect(await page.getByText(/^sk_test_\w{20,}/).isVisible()).toBe(false)
    await page.getByText('Show the new key').click()
    await page.getByText(/^sk_test_\w{20,}/).waitFor()
    await button('Reset').click()
    await confirm('Close')
    const { items } = (await (await fetch(`${browser.url}/_psp/payments`)).json()) as { items: unknown[] }
    expect(items.length).toBeGreaterThan(0)
    await button('Restore').click()
    await confirm('Restore')
    await toast('Restored.')
  })

  it('the test shop creates an order, opens its payment page, verifies the webhook, and takes the buyer back', async () => {
    await open('shop')
    const tab = opened.context.waitForEvent('page')
    const created = page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().endsWith('/v1/public/payments'),
    )
    await button('Buy: Umbrella').click()
    expect((await created).headers()['authorization']).toMatch(/^Bearer sk_test_/)
    await toast(/The order shop-\d+ was placed/)
    const id = new URL(page.url()).pathname.split('/').at(-1) as string
    expect((await tab).url()).toBe(`${browser.url}/pay/${id}?lang=en`)
    const stored = browser.sandbox.engine.world.get('payments', id)
    expect(stored).toMatchObject({ amount: 245_000, return_url: `${browser.url}/ui/shop` })
    expect(stored?.shop_id).not.toBe(browser.caller().shop_id)
    await card('Payment').getByText('pending').waitFor()
    await card('Payment').getByText('A correct shop sends the buyer to the payment page').waitFor()
    await card('Order').getByText('Waiting for the webhook', { exact: true }).waitFor()
    await browser.shot(page, 'shop-pending')

    browser.sandbox.engine.execute('act_on_payment', { payment_id: id, act: { action: 'pay' } })
    await browser.sandbox.timeline.advance({ by: 1000 })
    await card('Payment').getByText('succeeded').waitFor()
    await card('Payment').getByText('The buyer may return before the webhook arrives').waitFor()
    await card('Webhook').getByRole('link', { name: 'payment.succeeded' }).waitFor()
    await card('Order').getByText('Paid: the item can be sent').waitFor()
    await card('Webhook').getByText('valid signature').waitFor()
    await card('Webhook').getByText('delivered').waitFor()

    const buyer = await tab
    await buyer.goto(`${browser.url}/pay/${id}/return`)
    await buyer.getByText('The buyer is back. The address has the status “succeeded”.').waitFor()
    await buyer.getByText('Paid: the item can be sent').waitFor()
    expect(new URL(buyer.url()).searchParams.get('payment_id')).toBe(id)
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      await fitsWithin(page, width)
      await browser.shot(page, `shop-${width}`)
    }
  })
})
