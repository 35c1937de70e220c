// The journeys of a tester through payments, payouts and refunds in the dashboard.
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { type BrowserFixture, createBrowserFixture, describeInBrowser } from '../fixtures.ts'
import { createReceiver, dashboardParts, type Receiver } from './fixtures.ts'

describeInBrowser('payments in the dashboard', () => {
  let browser: BrowserFixture
  let receiver: Receiver
  let refusing = true
  beforeAll(async () => {
    browser = await createBrowserFixture({ clock: { mode: 'frozen' } })
    receiver = await createReceiver((response) =>
      response.writeHead(refusing ? 400 : 200).end('{"error":"unknown order"}'),
    )
    browser.sandbox.engine.execute('create_endpoint', {
      shop_id: browser.caller().shop_id,
      input: { url: receiver.url },
    })
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
    expect(opened.problems).toEqual([])
  })

  const { button, row, detail, toast, confirm } = dashboardParts(() => page)

  it('a new payment appears at once, is found by its order, and its address can be shared', async () => {
    await page.goto(`${browser.url}/`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    const id = await browser.create({ order_id: 'LIVE-77', customer_id: 'cust-9' })
    await row('LIVE-77').waitFor()
    await browser.create({ order_id: 'OTHER-1' })
    await page.keyboard.press('/')
    await page.keyboard.type('live-77')
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    expect(new URL(page.url()).search).toBe('?q=live-77')
    await row('LIVE-77').getByRole('link').click()
    await detail().getByText(id).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/ui/payments/${id}`)
    const address = page.url()
    await page.goBack()
    await expect.poll(() => detail().count()).toBe(0)
    await page.goto(address)
    await detail().getByText(id).waitFor()
  })

  it.each([
    ['the beginning of an id', (id: string) => id.slice(0, 13)],
    ['an amount in major units', () => '1500.50'],
    ['a customer', () => 'cust-55'],
    ['a part of the description', () => 'blue bicycle'],
  ])('a payment is found by %s', async (_what, text) => {
    const id = await browser.create({
      order_id: 'FIND-ME',
      amount: 150_050,
      customer_id: 'cust-55',
      description: 'A blue bicycle',
    })
    await browser.create({ order_id: 'NOT-ME', amount: 999 })
    await page.goto(`${browser.url}/ui/payments?q=${encodeURIComponent(text(id))}`)
    await row('FIND-ME').first().getByRole('cell', { name: 'cust-55', exact: true }).waitFor()
    expect(await row('NOT-ME').count()).toBe(0)
  })

  it('filters and orders are in the address, and can be cleared', async () => {
    const id = await browser.create({ order_id: 'F-1', amount: 100, method: 'tpay' })
    await browser.create({ order_id: 'F-2', amount: 90_000_000, method: 'tpay' })
    browser.sandbox.engine.execute('act_on_payment', { payment_id: id, act: { action: 'pay' } })
    await page.goto(`${browser.url}/ui/payments?q=F-`)
    await row('F-2').waitFor()
    await page.getByLabel('Status').selectOption('succeeded')
    await expect.poll(() => row('F-2').count()).toBe(0)
    await row('F-1').waitFor()
    expect(new URL(page.url()).search).toBe('?q=F-&status=succeeded')
    await page.getByLabel('Status').selectOption('')
    await button('Amount').click()
    await expect.poll(() => page.getByRole('row').nth(1).textContent()).toContain('F-1')
    await button(/^Amount/).click()
    await expect.poll(() => page.getByRole('row').nth(1).textContent()).toContain('F-2')
    await page.getByLabel('Search').fill('no such order')
    await page.getByText('Nothing matches').waitFor()
    await button('Clear').first().click()
    await row('F-1').waitFor()
  })

  it('the list shows the payments of the days between two dates, and the address keeps them', async () => {
    await browser.create({ order_id: 'DAY-1' })
    const today = new Date(browser.sandbox.timeline.now()).toISOString().slice(0, 10)
    await page.goto(`${browser.url}/ui/payments?q=DAY-`)
    await row('DAY-1').waitFor()
    await page.getByLabel('From').fill(today)
    await page.getByLabel('To', { exact: true }).fill(today)
    expect(new URL(page.url()).search).toBe(`?q=DAY-&from=${today}&to=${today}`)
    await row('DAY-1').waitFor()
    await page.getByLabel('To', { exact: true }).fill('2001-01-01')
    await page.getByText('Nothing matches').waitFor()
    await page.goto(`${browser.url}/ui/payments?from=2999-01-01`)
    await page.getByText('Nothing matches').waitFor()
    expect(await page.getByLabel('From').inputValue()).toBe('2999-01-01')
    await page.goto(`${browser.url}/ui/requests?from=2999-01-01`)
    await page.getByText('Nothing matches').waitFor()
    await button('Clear').first().click()
    await row('/v1/public/payments').first().waitFor()
  })

  it('a payment is created with an outcome and a delay', async () => {
    await page.goto(`${browser.url}/ui/payments`)
    await button('New payment').first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('amount').fill('0')
    await dialog.getByLabel('order').fill('FORM-1')
    await dialog.getByLabel('outcome').selectOption('failed')
    await dialog.getByLabel('code').selectOption('card_stolen')
    expect(await dialog.textContent()).not.toContain('type the first letter')
    await dialog.getByLabel('delay').fill('30s')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByText('Enter an amount above 0').waitFor()
    await dialog.getByLabel('amount').fill('1234.50')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await detail().getByText('1 234.50 RUB').first().waitFor()
    await detail().getByText('failed:card_stolen@30s').waitFor()
    expect(
      await browser.sandbox.fetch(new Request(`${browser.url}/_psp/requests`)).then((r) => r.text()),
    ).not.toContain('FORM-1')
  })

  it('a scheduled step is reached with the clock', async () => {
    const id = await browser.create({ order_id: 'CLOCK-1', method: 'sbp' })
    await page.goto(`${browser.url}/ui/payments/${id}`)
    await detail().getByText('the bank session opens').waitFor()
    await button('Advance the clock to here').first().click()
    await toast('The clock advanced')
    await detail().getByText('the bank responds').waitFor()
    await button('Advance the clock to here').first().click()
    await detail().getByRole('listitem').getByText('succeeded', { exact: true }).waitFor()
  })

  it('a payment is declined, and its failed webhook shows why and is sent again', async () => {
    refusing = true
    const id = await browser.create({ order_id: 'DECLINE-1', method: 'sbp' })
    await page.goto(`${browser.url}/ui/payments/${id}`)
    await button('Decline…').click()
    await page.getByRole('dialog').getByLabel('code').selectOption('call_issuer')
    await confirm('Decline')
    await toast('Status: failed')
    await detail().getByRole('listitem').getByText('attempt 1 of payment.failed').waitFor()
    await detail().getByText('the webhook is sent').waitFor()
    await detail().locator('summary').filter({ hasText: '400' }).click()
    await detail().getByText('"unknown order"').first().waitFor()
    await detail().getByText('"failure_code": "call_issuer"').first().waitFor()
    refusing = false
    await button('Resend').click()
    await toast('Sent: 200')
    await detail().getByText('delivered').waitFor()
    await row('DECLINE-1').getByRole('cell', { name: '200', exact: true }).waitFor()
  })

  it('a payment is paid, refunded in part, and the refund has its own address', async () => {
    const id = await browser.create({ order_id: 'REFUND-1', method: 'sbp', amount: 100_000 })
    await page.goto(`${browser.url}/ui/payments/${id}`)
    await button('Pay').click()
    await toast('Status: succeeded')
    await button('Refund…').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('amount').fill('2000')
    await confirm('Refund')
    await dialog.getByText('At most 1 000.00 RUB can be refunded.').waitFor()
    await dialog.getByLabel('amount').fill('250')
    await dialog.getByLabel('reason').fill('wrong size')
    await confirm('Refund')
    await toast('Refund: succeeded')
    await page.getByRole('navigation').getByRole('link', { name: 'Refunds' }).click()
    await row('wrong size').getByRole('link').click()
    await detail().getByText('250.00 RUB').first().waitFor()
    await detail().getByRole('link', { name: 'Payment' }).click()
    await detail().getByRole('button', { name: id }).waitFor()
  })

  it('cancelling and expiring ask first', async () => {
    const [one, two] = [await browser.create({ order_id: 'C-1' }), await browser.create({ order_id: 'E-1' })]
    await page.goto(`${browser.url}/ui/payments/${one}`)
    await button('Cancel…').click()
    expect(await page.getByRole('dialog').getByRole('button').allTextContents()).toEqual([
      'Close',
      'Cancel the payment',
    ])
    await confirm('Close')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect((await browser.payment(one))['status']).toBe('pending')
    await button('Cancel…').click()
    await confirm('Cancel the payment')
    await toast('Status: cancelled')
    await expect.poll(() => detail().getByRole('button', { name: 'Pay', exact: true }).count()).toBe(0)
    await page.goto(`${browser.url}/ui/payments/${two}`)
    await page.getByText('More', { exact: true }).click()
    await button('Expire').click()
    expect(await page.getByRole('dialog').getByRole('button').allTextContents()).toEqual([
      'Close',
      'Expire the payment',
    ])
    await page.keyboard.press('Escape')
    expect((await browser.payment(two))['status']).toBe('pending')
    await page.getByText('More', { exact: true }).click()
    await button('Expire').click()
    await confirm('Expire the payment')
    await toast('Status: expired')
  })

  it('the address, a curl line and a psp command are copied, and a scenario is saved', async () => {
    const id = await browser.create({ order_id: "it's", amount: 4200, method: 'sbp' })
    await page.goto(`${browser.url}/ui/payments/${id}?q=it`)
    const copied = async (name: string) => {
      await page.getByText('More', { exact: true }).click()
      await button(name).click()
      await toast('Copied.')
      await page.locator('.toast').getByRole('button').first().click()
      return await page.evaluate<string>('navigator.clipboard.readText()')
    }
    await detail().getByText('Open page').waitFor()
    expect(await copied('Copy id')).toBe(id)
    expect(await copied('Copy link')).toBe(`${browser.url}/ui/payments/${id}`)
    expect(await copied('Copy payment link')).toBe(`${browser.url}/pay/${id}`)
    expect(await copied('Copy as curl')).toContain(String.raw`"order_id":"it'\''s"`)
    expect(await copied('Copy as psp command')).toContain(String.raw`--order-id 'it'\''s'`)
    const download = page.waitForEvent('download')
    await page.getByText('More', { exact: true }).click()
    await button('Save as scenario').click()
    const file = await (await download).path()
    const { readFileSync } = await import('node:fs')
    const scenario: unknown = JSON.parse(readFileSync(file, 'utf8'))
    expect(scenario).toMatchObject({
      steps: [{ do: 'payments.create', with: { amount: 4200 } }, { do: 'payments.get' }],
    })
  })

  it('a payout is created and fails with a code', async () => {
    await page.goto(`${browser.url}/ui/payouts`)
    await button('New payout').first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('amount').fill('55')
    await dialog.getByLabel('outcome').selectOption('pending')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await button('Decline…').click()
    await dialog.getByLabel('code').selectOption('recipient_not_found')
    await confirm('Decline')
    await toast('Status: failed')
    await row('recipient_not_found').waitFor()
  })

  it('an id that does not exist has a message and a way back', async () => {
    await page.goto(`${browser.url}/ui/payments/00000000-0000-4000-8000-000000000000`)
    await page.getByText('No object has this id.').waitFor()
    await button('Back to the list').click()
    expect(new URL(page.url()).pathname).toBe('/ui/payments')
  })

  it('a payment that could not be loaded shows the error, and not that the payment does not exist', async () => {
    await page.route('**/_psp/deliveries?*', (route) =>
      route.fulfill({ status: 500, json: { error: { code: 'internal_error', message: 'The read failed.' } } }),
    )
    await page.goto(`${browser.url}/ui/payments/00000000-0000-4000-8000-000000000000`)
    await page.getByText('The read failed.').first().waitFor()
    expect(await page.getByText('No object has this id.').count()).toBe(0)
    // The browser reports each failed request, some later than the page shows it.
    await page.goto('about:blank')
    opened.problems.length = 0
  })

  it('an event that could not be loaded shows the error, and not that the event does not exist', async () => {
    await page.route('**/_psp/events/evt_*', (route) =>
      route.fulfill({ status: 500, json: { error: { code: 'internal_error', message: 'The read failed.' } } }),
    )
    await page.goto(`${browser.url}/ui/events/evt_0123456789abcdef01234567`)
    await detail().getByText('The read failed.').waitFor()
    expect(await page.getByText('No object has this id.').count()).toBe(0)
    await page.goto('about:blank')
    opened.problems.length = 0
  })
})
