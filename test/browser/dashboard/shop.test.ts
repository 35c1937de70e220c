// The test shop on a server that does not accept http return addresses, and on a page that browsers do not treat as secure.
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { loadAxe, violations } from '../accessibility.ts'
import { type BrowserFixture, createBrowserFixture, describeInBrowser } from '../fixtures.ts'
import { dashboardParts } from './fixtures.ts'

/** A host that is not this machine, so that its pages over http are not secure. */
const FOREIGN = 'http://shop.test'

describeInBrowser('the return address of the test shop', () => {
  let browser: BrowserFixture
  beforeAll(async () => {
    browser = await createBrowserFixture({ clock: { mode: 'frozen' }, settings: { http_return_url: false } })
  })
  afterAll(() => browser.close())

  let opened: Awaited<ReturnType<BrowserFixture['window']>>
  beforeEach(async () => {
    const headers = { 'content-type': 'application/json' }
    await fetch(`${browser.url}/_psp/reset`, { method: 'POST', headers, body: '{"all":true}' })
    opened = await browser.window({ bypassCSP: true })
  })
  afterEach(() => opened.context.close())
  const { button, confirm, toast } = dashboardParts(() => opened.page)

  const settings = async () =>
    (await (await fetch(`${browser.url}/_psp/settings`)).json()) as Readonly<Record<string, unknown>>
  const payments = () => browser.sandbox.engine.world.rows('payments')

  it('an order asks before it turns on http_return_url, and places the order after a yes', async () => {
    await opened.page.goto(`${browser.url}/ui/shop`)
    await button('Buy: Umbrella').click()
    const question = opened.page.getByRole('dialog')
    await question.getByText('Turn on the setting http_return_url').waitFor()
    await question.getByRole('button', { name: 'Close' }).click()
    await expect.poll(() => question.count()).toBe(0)
    expect((await settings())['http_return_url']).toBe(false)
    expect([...payments()]).toEqual([])
    await button('Buy: Umbrella').click()
    await confirm('Buy')
    await toast(/The order shop-\d+ was placed/)
    expect((await settings())['http_return_url']).toBe(true)
    expect([...payments()]).toMatchObject([{ amount: 245_000, return_url: `${browser.url}/ui/shop` }])
    expect(opened.problems).toEqual([])
  })

  it.each(['light', 'dark'] as const)(
    'axe finds no violations in the question in %s, in both languages',
    async (colorScheme) => {
      const { page } = opened
      await page.emulateMedia({ colorScheme })
      await page.goto(`${browser.url}/ui/shop`)
      for (const [language, buy] of [
        ['en', 'Buy: Umbrella'],
        ['ru', 'Купить: Зонт'],
      ] as const) {
        await page.getByLabel(/Language|Язык/).selectOption(language)
        await button(buy).click()
        await page.getByRole('dialog').waitFor()
        await loadAxe(page)
        expect([language, await violations(page)]).toEqual([language, []])
        await page.keyboard.press('Escape')
        await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
      }
    },
  )

  it.each([false, true])(
    'a page that is not secure sells without a return address and verifies no webhook, with http_return_url=%s',
    async (http_return_url) => {
      const { page, context } = opened
      const body = JSON.stringify({ http_return_url })
      const headers = { 'content-type': 'application/json' }
      await fetch(`${browser.url}/_psp/settings`, { method: 'PATCH', headers, body })
      expect((await settings())['http_return_url']).toBe(http_return_url)
      await context.route(`${FOREIGN}/**`, async (route) => {
        const { pathname, search } = new URL(route.request().url())
        // The stream never ends, so it cannot be passed on.
        if (pathname.endsWith('/stream')) return route.abort()
        const headers = { ...route.request().headers(), host: new URL(browser.url).host, origin: browser.url }
        return route.fulfill({ response: await route.fetch({ url: `${browser.url}${pathname}${search}`, headers }) })
      })
      await page.goto(`${FOREIGN}/ui/shop`)
      expect(await page.evaluate('isSecureContext')).toBe(false)
      await button('Buy: Desk lamp').click()
      await toast(/The order shop-\d+ was placed/)
      const [payment] = [...payments()]
      expect(payment).toMatchObject({ amount: 379_000 })
      expect(payment?.return_url).toBeUndefined()
      await page.getByText('Waiting for the webhook', { exact: true }).waitFor()
      expect(await (await fetch(`${browser.url}/_psp/listeners`)).json()).toMatchObject({ items: [] })
      // Requests of the page may still be in flight, and would fail when it is closed.
      await context.unrouteAll({ behavior: 'ignoreErrors' })
    },
  )
})
