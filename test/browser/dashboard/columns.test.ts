// A list never scrolls sideways: it shows only the columns that fit, also next to a detail.
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { type BrowserFixture, createBrowserFixture, describeInBrowser } from '../fixtures.ts'

const LISTS = ['payments', 'payouts', 'refunds', 'webhooks', 'events', 'requests']

describeInBrowser('the columns of the lists of the dashboard', () => {
  let browser: BrowserFixture
  beforeAll(async () => {
    browser = await createBrowserFixture({ clock: { mode: 'frozen' } })
    const { engine, timeline } = browser.sandbox
    const payment_id = await browser.create({ method: 'sbp', webhook_url: 'http://127.0.0.1:9/hooks' })
    engine.execute('act_on_payment', { payment_id, act: { action: 'pay' } })
    await timeline.advance({ by: 1000 })
    engine.execute('refund_payment', { caller: browser.caller(), payment_id, amount: 100, reason: 'size' })
    await fetch(`${browser.url}/_psp/payouts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ amount: 100, phone: '+79001234567', bank_id: '100000000004' }),
    })
    await timeline.advance({ by: 1000 })
  })
  afterAll(() => browser.close())

  let opened: Awaited<ReturnType<BrowserFixture['window']>>
  let page: Page
  beforeEach(async () => {
    opened = await browser.window({ viewport: { width: 1280, height: 800 }, locale: 'ru' })
    page = opened.page
  })
  afterEach(async () => {
    await opened.context.close()
    expect(opened.problems).toEqual([])
  })

  /** Scrolls as far to the right as the list allows, and returns how far that is, in px. */
  const scrollSideways = () =>
    page.evaluate<number>(`(() => {
      const elements = [...document.querySelectorAll('.table-head, .table-scroll')]
      for (const element of elements) element.scrollLeft = 1000
      return Math.max(...elements.map(({ scrollLeft }) => scrollLeft))
    })()`)

  /** Returns the texts of the cells that are cut in the first row with a text, except sentences, which may be cut. */
  const cutTexts = (text: string, on = page) =>
    on.evaluate<string[]>(`[...document.querySelectorAll('.table-body .table-row')]
      .filter(({ textContent }) => textContent.includes(${JSON.stringify(text)}))
      .slice(0, 1)
      .flatMap((row) => [...row.querySelectorAll('[role=cell]')])
      .filter((cell) => cell.scrollWidth > cell.clientWidth && !/ .* .* /.test(cell.textContent))
      .map(({ textContent }) => textContent)`)

  it.each(LISTS)('the list of %s cannot be scrolled sideways, with a detail and without one', async (list) => {
    await page.goto(`${browser.url}/ui/${list}`)
    const link = page.locator('.table-body a').first()
    await link.waitFor()
    for (const hasDetail of [false, true]) {
      if (hasDetail) await link.click()
      await expect.poll(() => page.locator('.detail').count()).toBe(Number(hasDetail))
      for (const width of [720, 900, 1024, 1200, 1280, 1440, 1800, 2160]) {
        await page.setViewportSize({ width, height: 800 })
        await expect.poll(scrollSideways, { message: `at ${width} px` }).toBe(0)
      }
    }
  })

  it('next to a detail the list of payments shows its first columns, and in the whole window all of them', async () => {
    await page.goto(`${browser.url}/ui/payments`)
    const titles = page.getByRole('columnheader')
    await expect.poll(() => titles.count()).toBe(7)
    await page.locator('.table-body a').first().click()
    await expect.poll(() => titles.allTextContents()).toEqual(['Сумма', 'Статус', 'Заказ', 'Вебхук'])
  })

  it('long order numbers and addresses are not cut while other columns have room', async () => {
    const order_id = 'shop-42-2026-00017'
    const payment_id = await browser.create({
      method: 'sbp',
      order_id,
      webhook_url: 'http://127.0.0.1:9/webhooks',
    })
    browser.sandbox.engine.execute('act_on_payment', { payment_id, act: { action: 'pay' } })
    await browser.sandbox.timeline.advance({ by: 1000 })
    for (const list of ['payments', 'webhooks', 'events']) {
      await page.goto(`${browser.url}/ui/${list}`)
      await page.locator('.table-body .table-row').filter({ hasText: order_id }).first().waitFor()
      for (const width of [1280, 1440, 1920]) {
        await page.setViewportSize({ width, height: 800 })
        await expect.poll(() => cutTexts(order_id), { message: `${list} at ${width} px` }).toEqual([])
      }
    }
  })

  it('a default order number of 17 characters is not cut next to a detail, nor in the list of webhooks', async () => {
    const order_id = 'ord_1796083666123'
    const webhook_url = `http://127.0.0.1:9/${'long-path/'.repeat(8)}`
    // Another sandbox, because the long address takes room from the columns of every other row.
    const other = await createBrowserFixture({ clock: { mode: 'frozen' } })
    onTestFinished(() => other.close())
    const window = await other.window({ viewport: { width: 1280, height: 800 } })
    const payment_id = await other.create({ method: 'sbp', order_id, webhook_url })
    other.sandbox.engine.execute('act_on_payment', { payment_id, act: { action: 'pay' } })
    await other.sandbox.timeline.advance({ by: 1000 })
    for (const [path, width, columns] of [
      [`payments/${payment_id}`, 1280, 4],
      ['webhooks', 1280, 7],
      ['webhooks', 1440, 7],
    ] as const) {
      await window.page.setViewportSize({ width, height: 800 })
      await window.page.goto(`${other.url}/ui/${path}`)
      await window.page.locator('.table-body .table-row').filter({ hasText: order_id }).first().waitFor()
      expect(await cutTexts(order_id, window.page), `${path} at ${width} px`).not.toContain(order_id)
      expect(await window.page.getByRole('columnheader').count()).toBe(columns)
    }
    expect(window.problems).toEqual([])
    await window.context.close()
  })

  it('the list of webhooks and the timeline of a payment mark a replay', async () => {
    const { engine } = browser.sandbox
    const payment_id = await browser.create({ method: 'sbp', webhook_url: 'http://127.0.0.1:9/webhooks' })
    engine.execute('act_on_payment', { payment_id, act: { action: 'pay' } })
    const [event] = [...engine.world.rows('events', 'newest')]
    engine.execute('replay_event', { event_id: event?.id ?? '' })
    await browser.sandbox.timeline.advance({ by: 1000 })
    await page.goto(`${browser.url}/ui/webhooks`)
    await page.setViewportSize({ width: 1440, height: 800 })
    const first = page.locator('.table-body .table-row').first()
    await expect.poll(() => first.textContent()).toMatch(/^payment\.\w+ повтор/)
    await expect.poll(() => cutTexts('повтор')).toEqual([])
    await first.locator('a').click()
    await page.locator('.facts').getByText('повтор', { exact: true }).waitFor()
    await page.goto(`${browser.url}/ui/payments/${payment_id}`)
    const attempt = page.locator('.timeline .is-attempt').last()
    await attempt.getByText('повтор', { exact: true }).waitFor()
    expect(await attempt.textContent()).toMatch(/payment\.succeeded, повтор /)
  })
})
