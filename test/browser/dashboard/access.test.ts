// The dashboard in both themes and both languages, on screens of different widths, and with the keyboard alone.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadAxe, smallTargets, violations } from '../accessibility.ts'
import { type BrowserFixture, createBrowserFixture, describeInBrowser, fitsWithin } from '../fixtures.ts'

/** Checks the page wide and narrow. The colours are the same in each language, so Russian has one theme. */
async function expectAccessible(page: Page, what: string, locale: string): Promise<void> {
  for (const colorScheme of locale === 'ru' ? (['light'] as const) : (['light', 'dark'] as const)) {
    await page.emulateMedia({ colorScheme })
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 740 })
      const found = await violations(page, colorScheme === 'light' ? 'all' : 'colours')
      expect([what, colorScheme, width, found]).toEqual([what, colorScheme, width, []])
      expect([what, width, await smallTargets(page, '.skip, .table')]).toEqual([what, width, []])
      await fitsWithin(page, width)
    }
  }
}

describeInBrowser('the accessibility of the dashboard', () => {
  let browser: BrowserFixture
  let id: string
  beforeAll(async () => {
    browser = await createBrowserFixture({ clock: { mode: 'frozen' } })
    const { shop_id } = browser.caller()
    const url = 'http://127.0.0.1:9/hooks'
    browser.sandbox.engine.execute('create_endpoint', { shop_id, input: { url } })
    await browser.create({ order_id: 'an-order-with-a-very-long-number-'.repeat(6), method: 'sbp' })
    id = await browser.create({ method: 'sbp' })
    browser.sandbox.engine.execute('act_on_payment', { payment_id: id, act: { action: 'pay' } })
    const caller = browser.caller()
    browser.sandbox.engine.execute('refund_payment', { caller, payment_id: id, amount: 100, reason: 'size' })
    // The second attempt is made 10 seconds after the first one.
    await browser.sandbox.timeline.advance({ by: 20_000 })
    const listener = JSON.stringify({ shop_id, url: 'http://localhost:3000/a-shop' })
    const headers = { 'content-type': 'application/json' }
    await fetch(`${browser.url}/_psp/listeners`, { method: 'POST', headers, body: listener })
  })
  afterAll(() => browser.close())

  /** Returns the path of each view, of an open payment and its shop, and of a list without rows, with its filters. */
  async function paths(page: Page): Promise<string[]> {
    await page.goto(`${browser.url}/`)
    const links = page.getByRole('navigation').getByRole('link')
    await links.first().waitFor()
    const views = await links.evaluateAll((all) => all.map((link) => (link as unknown as URL).pathname))
    return [...views, `/ui/payments/${id}`, `/ui/shop/${id}`, '/ui/payments?q=nothing&status=failed']
  }

  /** Opens a view as the links do. A new document would need axe again, which takes longer than the check. */
  async function open(page: Page, path: string): Promise<void> {
    await page.evaluate(
      `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
    )
    const view = path.match(/^\/ui\/\w+/)?.[0] ?? '/'
    await expect
      .poll(() => page.evaluate('document.querySelector("nav [aria-current]")?.pathname'), { interval: 10 })
      .toBe(view)
  }

  it.each(['en', 'ru'])('axe finds no violations in any view in %s, wide and narrow', async (locale) => {
    const { page, context, problems } = await browser.window({ locale, bypassCSP: true })
    const all = await paths(page)
    await loadAxe(page)
    for (const path of all) {
      await open(page, path)
      await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' })
      if (path.endsWith(id))
        await page
          .getByRole('listitem')
          .getByText(locale === 'ru' ? 'успешно' : 'succeeded', { exact: true })
          .first()
          .waitFor()
      await expectAccessible(page, path, locale)
    }
    expect(problems).toEqual([])
    await context.close()
  })

  it.each(['en', 'ru'])('axe finds no violations in an open diagnosis and a comparison in %s', async (locale) => {
    const { page, context, problems } = await browser.window({ locale, bypassCSP: true })
    await page.goto(`${browser.url}/ui/payments/${id}`)
    const attempts = page.getByRole('article').locator('.attempt > summary')
    await attempts.filter({ hasText: '1.' }).first().click()
    await page.getByText(locale === 'ru' ? 'подпись верна' : 'valid signature', { exact: true }).waitFor()
    await attempts
      .filter({ hasText: locale === 'ru' ? 'Сравнить две попытки' : 'Compare two attempts' })
      .first()
      .click()
    await page
      .getByLabel(locale === 'ru' ? 'Более поздняя попытка' : 'Later attempt')
      .first()
      .waitFor()
    await loadAxe(page)
    await expectAccessible(page, 'a comparison', locale)
    expect(problems).toEqual([])
    await context.close()
  })

  it('axe finds no violations in a form, a question and the list of keys', async () => {
    const { page, context } = await browser.window({ bypassCSP: true })
    await page.goto(`${browser.url}/ui/payments`)
    await page.getByRole('button', { name: 'New payment' }).first().waitFor()
    await loadAxe(page)
    for (const key of ['n', '?']) {
      await page.keyboard.press(key)
      await page.getByRole('dialog').waitFor()
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await violations(page, colorScheme === 'light' ? 'all' : 'colours')).toEqual([])
      }
      await page.keyboard.press('Escape')
      await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    }
    await context.close()
  })

  it.each([360, 768, 1280])('the menu of a payment is on the screen at %i px', async (width) => {
    const { page, context } = await browser.window({ viewport: { width, height: 800 } })
    const failed = await browser.create({ method: 'sbp' })
    const act = { action: 'decline', failure_code: 'card_lost' } as const
    browser.sandbox.engine.execute('act_on_payment', { payment_id: failed, act })
    await page.goto(`${browser.url}/ui/payments/${failed}`)
    await page.getByRole('article').locator('.menu > summary').click()
    const menu = await page.locator('.menu-items').boundingBox()
    const detail = await page.getByRole('article').boundingBox()
    expect(menu?.x).toBeGreaterThanOrEqual(detail?.x ?? 0)
    expect((menu?.x ?? 0) + (menu?.width ?? 0)).toBeLessThanOrEqual(width)
    await context.close()
  })

  it('a payment is found, opened and declined with the keyboard alone', async () => {
    const { page, context } = await browser.window()
    const wanted = await browser.create({ order_id: 'KEYS-1', method: 'sbp' })
    await page.goto(`${browser.url}/ui/payments`)
    await page.getByRole('row').nth(1).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('keys-')
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    await page.keyboard.press('Escape')
    await page.keyboard.press('j')
    await expect.poll(() => page.evaluate('document.activeElement.closest("[role=row]")?.ariaRowIndex')).toBe('2')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Decline…' }).waitFor()
    for (let i = 0; i < 40; i++) {
      await page.keyboard.press('Tab')
      if ((await page.evaluate('document.activeElement.textContent')) === 'Decline…') break
    }
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).not.toBe('none')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    for (let i = 0; i < 6; i++) {
      await page.keyboard.press('Tab')
      if ((await page.evaluate('document.activeElement.type')) === 'submit') break
    }
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await expect.poll(async () => (await browser.payment(wanted))['status']).toBe('failed')
    await page.keyboard.press('Escape')
    await expect.poll(() => new URL(page.url()).pathname).toBe('/ui/payments')
    await page.keyboard.press('2')
    await page.getByRole('heading', { level: 1, name: 'Payouts' }).waitFor()
    // In a list, n alone creates. After g, a letter opens a view.
    for (const [letter, view] of [
      ['d', 'Data'],
      ['t', 'Test shop'],
      ['h', 'Start'],
      ['p', 'Payments'],
    ] as const) {
      await page.keyboard.press('g')
      await page.keyboard.press(letter)
      await page.getByRole('heading', { level: 1, name: view }).waitFor({ state: 'attached' })
    }
    // A letter that is typed into the search after g opens no view.
    await page.keyboard.press('g')
    await page.getByRole('searchbox').press('o')
    expect(await page.getByRole('searchbox').inputValue()).toBe('o')
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('Test shop').waitFor()
    await context.close()
  })

  it('the theme and the language are kept in the browser', async () => {
    const { page, context } = await browser.window()
    await page.goto(`${browser.url}/ui/payments`)
    await page.getByLabel('Theme').selectOption('dark')
    await page.getByLabel('Language').selectOption('ru')
    await page.getByRole('heading', { level: 1, name: 'Платежи' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Платежи' }).waitFor()
    expect(await page.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('dark')
    await context.close()
  })
})
