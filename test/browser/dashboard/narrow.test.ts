// A person opens the dashboard on a phone, in Russian.
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { type BrowserFixture, createBrowserFixture, describeInBrowser, fitsWithin } from '../fixtures.ts'
import { dashboardParts } from './fixtures.ts'

const WIDTH = 360

describeInBrowser('the dashboard on a narrow screen in Russian', () => {
  let browser: BrowserFixture
  beforeAll(async () => {
    browser = await createBrowserFixture({ clock: { mode: 'frozen' } })
    await browser.create({ order_id: 'NARROW-1' })
  })
  afterAll(() => browser.close())

  let opened: Awaited<ReturnType<BrowserFixture['window']>>
  let page: Page
  beforeEach(async () => {
    opened = await browser.window({ viewport: { width: WIDTH, height: 780 }, locale: 'ru' })
    page = opened.page
  })
  afterEach(async () => {
    await opened.context.close()
    expect(opened.problems).toEqual([])
  })
  const { button, row } = dashboardParts(() => page)

  it.each(['payments', 'clock', 'start'])('the link of the current view %s is on the screen', async (view) => {
    await page.goto(`${browser.url}/ui/${view}`)
    const link = page.locator('.navigation [aria-current]')
    await link.waitFor()
    const box = await link.boundingBox()
    expect(box?.x).toBeGreaterThanOrEqual(0)
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(WIDTH)
  })

  it('the filters are behind a button, and none is cut when they are shown', async () => {
    await page.goto(`${browser.url}/ui/payments`)
    await row('NARROW-1').waitFor()
    const filters = page.locator('.filter')
    expect(await filters.first().isVisible()).toBe(false)
    await button('Фильтры').click()
    for (const filter of await filters.all()) {
      const box = await filter.boundingBox()
      expect((box?.x ?? 0) + (box?.width ?? WIDTH)).toBeLessThanOrEqual(WIDTH)
    }
    await fitsWithin(page, WIDTH)
    await page.getByRole('combobox', { name: /^Статус/ }).selectOption('pending')
    await row('NARROW-1').waitFor()
    await page.reload()
    await filters.first().waitFor()
  })

  it.each([WIDTH, 768])('at %i px, the fields of a rule and a fault have space for their examples', async (width) => {
    await page.setViewportSize({ width, height: 780 })
    await page.goto(`${browser.url}/ui/simulator`)
    const fields = page.locator('.inline-form input[type=text]')
    await fields.first().waitFor()
    for (const field of (await fields.all()).slice(0, 4))
      expect((await field.boundingBox())?.width).toBeGreaterThanOrEqual(128)
    await fitsWithin(page, width)
  })

  it('the payment page opens in the language of the dashboard', async () => {
    await page.goto(`${browser.url}/ui/payments`)
    await row('NARROW-1').getByRole('link').click()
    const link = page.getByRole('article').getByRole('link', { name: 'Открыть страницу' })
    expect(await link.getAttribute('href')).toMatch(/\/pay\/[^?]+\?lang=ru$/)
  })

  it('a status is a Russian word, and its title is the value of the API', async () => {
    await page.goto(`${browser.url}/ui/payments`)
    const status = row('NARROW-1').locator('.badge')
    await status.waitFor()
    expect([await status.textContent(), await status.getAttribute('title')]).toEqual(['ожидает', 'pending'])
    await button('Фильтры').click()
    const choices = page.getByRole('combobox', { name: /^Статус/ }).getByRole('option')
    expect(await choices.allTextContents()).toContain('ожидает (pending)')
  })

  it('the outcomes of a new payment are Russian words with the values of the API', async () => {
    await page.goto(`${browser.url}/ui/payments`)
    await button('Новый платёж').first().click()
    const choices = page.getByRole('dialog').getByLabel('исход').getByRole('option')
    await choices.first().waitFor({ state: 'attached' })
    expect((await choices.allTextContents()).slice(0, 4)).toEqual([
      'автоматически (automatic)',
      'успешно (succeeded)',
      'отказ (failed)',
      'ждёт покупателя (requires_action)',
    ])
  })

  it('a failing webhook is in the row of its payment, with a Russian reason', async () => {
    const webhook_url = 'http://127.0.0.1:9/hooks'
    const id = await browser.create({ order_id: 'NARROW-2', method: 'sbp', webhook_url })
    browser.sandbox.engine.execute('act_on_payment', { payment_id: id, act: { action: 'pay' } })
    await browser.sandbox.timeline.advance({ by: 1000 })
    await page.goto(`${browser.url}/ui/payments`)
    await row('NARROW-2').getByText('Нет соединения: на 127.0.0.1:9 нет сервера.').waitFor()
    await fitsWithin(page, WIDTH)
  })

  it('the times of a timeline of two days are aligned below the date of each day', async () => {
    const id = await browser.create({ order_id: 'NARROW-3', method: 'sbp' })
    browser.sandbox.engine.execute('act_on_payment', { payment_id: id, act: { action: 'pay' } })
    await browser.sandbox.timeline.advance({ by: 30 * 3_600_000 })
    const refund = { caller: browser.caller(), payment_id: id, amount: 100, reason: 'size' }
    browser.sandbox.engine.execute('refund_payment', refund)
    await browser.sandbox.timeline.advance({ by: 1000 })
    await page.goto(`${browser.url}/ui/payments/${id}`)
    await page.locator('.timeline-day').first().waitFor()
    const times = page.locator('.timeline-entry > time')
    const widths = await times.evaluateAll((all) =>
      all.map((time) => (time as unknown as { offsetWidth: number }).offsetWidth),
    )
    expect(new Set(widths).size).toBe(1)
    expect(await page.locator('.timeline-day').first().textContent()).toMatch(/^\d{4}-\d\d-\d\d$/)
  })
})
