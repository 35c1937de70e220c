// The panel of the developer: docked in a wide window, with the live history next to the buyer's view.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { waitForPage } from './buyer.ts'
import { type BrowserFixture, createBrowserFixture, describeInBrowser, fitsWithin, linesOf } from './fixtures.ts'

const WIDE = { width: 1440, height: 900 }
const NARROW = { width: 1000, height: 700 }

describeInBrowser('the panel in a browser', () => {
  let browser: BrowserFixture
  let receiver: Server
  let webhookUrl: string
  let status = 500
  beforeAll(async () => {
    browser = await createBrowserFixture()
    receiver = createServer((request, response) => {
      request.resume()
      response.writeHead(status).end()
    })
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    webhookUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  })
  afterAll(async () => {
    receiver.closeAllConnections()
    receiver.close()
    await browser.close()
  })

  const entry = (page: Page, text: string | RegExp) => page.locator('.history li').filter({ hasText: text })

  it.each([1280, 1920])('the panel is docked next to the page at %i px, and open without a press', async (width) => {
    const { page, context, problems } = await browser.window({ viewport: { width, height: 900 } })
    await page.goto(`${browser.url}/pay/${await browser.create()}`)
    await page.getByRole('button', { name: 'Approve' }).waitFor()
    const [sheet, panel] = [await page.locator('.sheet').boundingBox(), await page.locator('.panel').boundingBox()]
    expect(panel?.x).toBeGreaterThan((sheet?.x ?? 0) + (sheet?.width ?? 0))
    expect(panel?.y).toBe(sheet?.y)
    await fitsWithin(page, width)
    // The summary is the heading of the docked panel, so a press keeps it open.
    await page.getByText('Sandbox', { exact: true }).click()
    await page.getByRole('button', { name: 'Approve' }).waitFor()
    await browser.shot(page, `panel-docked-${width}`)
    expect(problems).toEqual([])
    await context.close()
  })

  it('the heading of the panel is in the tab order, except while the panel is docked', async () => {
    const { page, context } = await browser.window({ viewport: WIDE })
    await page.goto(`${browser.url}/pay/${await browser.create()}`)
    await page.getByRole('button', { name: 'Approve' }).waitFor()
    const tabIndex = () => page.evaluate<number>('document.querySelector(".panel > summary").tabIndex')
    await expect.poll(tabIndex).toBe(-1)
    await page.setViewportSize(NARROW)
    await expect.poll(tabIndex).toBe(0)
    await context.close()
  })

  it('the docked panel is also open without a script', async () => {
    const { page, context } = await browser.window({ viewport: WIDE, javaScriptEnabled: false })
    await page.goto(`${browser.url}/pay/${await browser.create()}`)
    await page.getByRole('button', { name: 'Approve' }).click()
    await waitForPage(page, 'Paid')
    expect(await page.locator('.copies pre').first().textContent()).toContain('psp payments create --amount 150000')
    await context.close()
  })

  it('the history shows each webhook attempt live and keeps what the buyer has typed', async () => {
    const { page, context, problems } = await browser.window({ viewport: WIDE })
    status = 500
    const id = await browser.create({ method: 'any', webhook_url: webhookUrl })
    await page.goto(`${browser.url}/pay/${id}?method=cards`)
    await page.keyboard.type('220000')
    browser.sandbox.engine.execute('add_fault', { target: 'webhook', fault: 'delay:1s', match: { object_id: id } })
    await page.locator('[data-fault]').waitFor()
    expect(await page.getByLabel('Card number').inputValue()).toBe('2200 00')
    expect(await page.getByLabel('Card number').and(page.locator(':focus')).count()).toBe(1)

    await page.goto(`${browser.url}/pay/${await browser.create({ webhook_url: webhookUrl })}`)
    await page.getByRole('button', { name: 'No money' }).click()
    await waitForPage(page, 'Payment failed')
    await page.getByText('Done: the bank declines with insufficient_funds.').waitFor()
    await entry(page, /Webhook payment\.failed.*500/).waitFor()
    await entry(page, 'Webhook payment.failed, attempt 2 is planned').waitFor()
    status = 200
    await browser.sandbox.timeline.advance({ by: 10_000 })
    await entry(page, /Webhook payment\.failed, attempt 2.*200/).waitFor()
    await browser.shot(page, 'panel-history')
    expect(problems).toEqual([])
    await context.close()
  })

  it.each([true, false])('Decline applies the order of webhook and return, with a script: %s', async (withScript) => {
    const { page, context, problems } = await browser.window({ viewport: WIDE, javaScriptEnabled: withScript })
    const id = await browser.create({ return_url: 'https://shop.example/' })
    await page.goto(`${browser.url}/pay/${id}`)
    await page.getByLabel('The buyer never returns').check()
    await page.getByRole('button', { name: 'Decline' }).click()
    await page.getByText('the buyer did not come back').waitFor()
    expect(page.url()).toContain(`/pay/${id}`)
    expect(problems).toEqual([])
    await context.close()
  })

  it('the order of webhook and return stays chosen after an update, and the Enter key applies it', async () => {
    const { page, context, problems } = await browser.window({ viewport: WIDE })
    const id = await browser.create()
    await page.goto(`${browser.url}/pay/${id}`)
    await page.getByLabel('Return first').check()
    browser.sandbox.engine.execute('add_fault', { target: 'webhook', fault: 'delay:1s', match: { object_id: id } })
    await page.locator('[data-fault]').waitFor()
    expect(await page.getByLabel('Return first').isChecked()).toBe(true)
    await page.getByLabel('Return first').press('Enter')
    await page.locator('[data-done]').waitFor()
    expect(await page.getByLabel('Return first').isChecked()).toBe(true)
    expect(await browser.payment(id)).toMatchObject({ status: 'pending' })
    expect(problems).toEqual([])
    await context.close()
  })

  it('the buttons copy the payment as a command and as a test', async () => {
    const { page, context } = await browser.window({ viewport: WIDE })
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(`${browser.url}/pay/${await browser.create({ amount: 10_051 })}`)
    const copied = () => page.evaluate<string>('navigator.clipboard.readText()')
    await page.getByRole('button', { name: 'Copy as CLI' }).click()
    await expect.poll(copied).toContain('psp payments create --amount 10051 --order-id A-1042')
    await page.getByRole('button', { name: 'Copy as test' }).click()
    await expect.poll(copied).toContain("import { startSandbox } from 'psp-sandbox/testing'")
    expect(await page.getByRole('status').filter({ hasText: 'Copied' }).count()).toBe(1)
    await context.close()
  })

  it('the panel of a narrow window stays as the developer left it', async () => {
    const { page, context } = await browser.window({ viewport: NARROW })
    await page.goto(`${browser.url}/pay/${await browser.create()}`)
    expect(await page.getByRole('button', { name: 'Approve' }).isVisible()).toBe(false)
    await page.getByText('Sandbox', { exact: true }).click()
    await page.getByRole('button', { name: 'Bank card' }).click()
    await waitForPage(page, 'Pay by card')
    expect(await page.getByRole('button', { name: 'Approve' }).isVisible()).toBe(true)
    await page.getByText('Sandbox', { exact: true }).click()
    await page.reload()
    expect(await page.getByRole('button', { name: 'Approve' }).isVisible()).toBe(false)
    await context.close()
  })

  it('the words on the controls of the outcome are not broken in Russian', async () => {
    const { page, context } = await browser.window({ locale: 'ru', viewport: { width: 1280, height: 900 } })
    await page.goto(`${browser.url}/pay/${await browser.create()}`)
    for (const action of ['approve', 'decline']) expect(await linesOf(page, `[value=${action}]`)).toBe(1)
    await context.close()
  })

  it('the controls of the outcome are aligned', async () => {
    const { page, context } = await browser.window({ viewport: { width: 1920, height: 1080 } })
    await page.goto(`${browser.url}/pay/${await browser.create()}`)
    const boxOf = async (selector: string) => await page.locator(selector).boundingBox()
    const [approve, expire] = [await boxOf('[value=approve]'), await boxOf('[value=expire]')]
    const [code, delay] = [await boxOf('#act-code'), await boxOf('#act-delay')]
    expect([expire?.y, expire?.height]).toEqual([approve?.y, approve?.height])
    expect([delay?.y, delay?.height]).toEqual([code?.y, code?.height])
    expect(code?.x).toBe(approve?.x)
    expect((delay?.x ?? 0) + (delay?.width ?? 0)).toBeCloseTo((expire?.x ?? 0) + (expire?.width ?? 0), 0)
    await context.close()
  })
})
