// The dashboard with tokens, hostile text, foreign names, a server that stops, and many tabs.
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type RunningServer, startServer } from '../../../src/node/server.ts'
import { assembleSandbox, type Sandbox } from '../../../src/sandbox.ts'
import { createSystemClock } from '../../../src/system-clock/system-clock.ts'
import { loadAxe, smallTargets, violations } from '../accessibility.ts'
import { type BrowserFixture, createBrowserFixture, describeInBrowser, fitsWithin } from '../fixtures.ts'

const TOKEN = 'a-token-of-some-length-0123'
const VIEW = 'a-token-for-reading-only-45'
const rows = (page: Page) => page.getByRole('row')

describeInBrowser('a dashboard that needs a token', () => {
  let browser: BrowserFixture
  beforeAll(async () => {
    browser = await createBrowserFixture({ control: { token: TOKEN, viewToken: VIEW } })
    await browser.create({ order_id: 'SECRET-1' })
  })
  afterAll(() => browser.close())

  it('a wrong token is rejected, the right one opens the list, and signing out closes it', async () => {
    const { page, context } = await browser.window()
    await page.goto(`${browser.url}/ui/payments`)
    const field = page.getByLabel('Token')
    await field.fill('wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('The server rejected this token.').waitFor()
    expect(await page.content()).not.toContain('SECRET-1')
    await field.fill(TOKEN)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await rows(page).filter({ hasText: 'SECRET-1' }).waitFor()
    await browser.create({ order_id: 'LIVE-1' })
    await rows(page).filter({ hasText: 'LIVE-1' }).waitFor()
    expect(await context.cookies()).toEqual([])
    await page.getByRole('button', { name: 'Sign out' }).click()
    await field.waitFor()
    await context.close()
  })

  it.each(['en', 'ru'])('axe finds no violations in the form for the token in %s', async (locale) => {
    const { page, context } = await browser.window({ locale, bypassCSP: true })
    await page.goto(`${browser.url}/`)
    const field = page.locator('#token')
    await field.waitFor()
    await loadAxe(page)
    const check = async (state: string) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        for (const width of [1280, 360]) {
          await page.setViewportSize({ width, height: 740 })
          const found = await violations(page, colorScheme === 'light' ? 'all' : 'colours')
          expect([state, colorScheme, width, found]).toEqual([state, colorScheme, width, []])
          expect([width, await smallTargets(page, '.skip')]).toEqual([width, []])
          await fitsWithin(page, width)
        }
      }
    }
    await check('empty')
    await field.fill('wrong')
    await page.keyboard.press('Enter')
    await page.locator('#token-problem').filter({ hasText: /./ }).waitFor()
    await check('wrong')
    await context.close()
  })

  it.each([360, 768])(
    'no parts of the header overlap or are cut at %i px in Russian, for reading only',
    async (width) => {
      const { page, context } = await browser.window({ locale: 'ru', viewport: { width, height: 780 } })
      await page.goto(`${browser.url}/#token=${VIEW}`)
      await page.getByText('Только чтение').waitFor()
      await page.getByText('На связи').waitFor()
      const boxes = await page.evaluate<number[][]>(`[...document.querySelectorAll('.header > *, .brand > *')]
      .filter((each) => each.checkVisibility() && !each.matches('.brand, .spring'))
      .map((each) => each.getBoundingClientRect())
      .map(({ left, right, top, bottom }) => [left, right, top, bottom])`)
      const height = await page.evaluate<number>('document.querySelector(".header").offsetHeight')
      if (width === 768) expect(height).toBeLessThan(60)
      for (const [left = 0, right = 0, top = 0, bottom = 0] of boxes) {
        expect(right).toBeLessThanOrEqual(width)
        const covering = boxes.filter(([l = 0, r = 0, t = 0, b = 0]) => l < right && left < r && t < bottom && top < b)
        // Each part covers itself. A hidden name is 1 pixel large.
        expect(covering.filter(([l = 0, r = 0]) => r - l > 1 && right - left > 1).length).toBeLessThanOrEqual(1)
      }
      await context.close()
    },
  )

  it('a link with the token opens the list, and the address does not keep the token', async () => {
    const { page, context, problems } = await browser.window()
    await page.goto(`${browser.url}/#token=${TOKEN}`)
    await rows(page).filter({ hasText: 'SECRET-1' }).waitFor()
    expect(page.url()).toBe(`${browser.url}/ui/payments`)
    expect(problems).toEqual([])
    await context.close()
  })

  it('at 360 px in Russian, the header of the view token has two lines', async () => {
    const { page, context } = await browser.window({ viewport: { width: 360, height: 780 }, locale: 'ru' })
    await page.goto(`${browser.url}/#token=${VIEW}`)
    await page.getByText('Только чтение').waitFor()
    await rows(page).filter({ hasText: 'SECRET-1' }).waitFor()
    // While it connects, the header has a longer text.
    await expect.poll(async () => (await page.locator('.header').boundingBox())?.height).toBeLessThan(84)
    await fitsWithin(page, 360)
    await context.close()
  })

  it('the view token shows everything and no action', async () => {
    const { page, context, problems } = await browser.window()
    await page.goto(`${browser.url}/#token=${VIEW}`)
    await rows(page).filter({ hasText: 'SECRET-1' }).getByRole('link').click()
    await page.getByRole('article').getByText('Open page').waitFor()
    await page.getByText('Read only').waitFor()
    for (const name of ['New payment', 'Pay', 'Decline…', 'Cancel…', 'Advance the clock to here'])
      expect([name, await page.getByRole('button', { name, exact: true }).count()]).toEqual([name, 0])
    await browser.create({ order_id: 'LIVE-2' })
    await rows(page).filter({ hasText: 'LIVE-2' }).waitFor()
    await page.getByRole('link', { name: 'Test shop' }).click()
    await page.getByText('Umbrella').waitFor()
    expect(await page.getByRole('button', { name: /^Buy/ }).count()).toBe(0)
    expect(problems).toEqual([])
    await context.close()
  })
})

describeInBrowser('hostile text in the dashboard', () => {
  let browser: BrowserFixture
  beforeAll(async () => {
    browser = await createBrowserFixture({ clock: { mode: 'frozen' } })
  })
  afterAll(() => browser.close())

  const HOSTILE = `"><img src=x onerror="document.title='hacked'"><script>document.title='hacked'</script>\u202Egnp.exe`

  it('text of a merchant and of a receiver stays text', async () => {
    const { page, context, problems } = await browser.window()
    const id = await browser.create({
      order_id: HOSTILE,
      description: HOSTILE,
      customer_id: HOSTILE,
      method: 'sbp',
      metadata: { [HOSTILE.slice(0, 40)]: HOSTILE, __proto__x: '1' },
    })
    browser.sandbox.engine.execute('act_on_payment', { payment_id: id, act: { action: 'pay' } })
    const refund = { caller: browser.caller(), payment_id: id, amount: 100, reason: HOSTILE }
    browser.sandbox.engine.execute('refund_payment', refund)
    for (const path of [`/ui/payments/${id}`, '/ui/refunds', `/ui/payments?q=${encodeURIComponent(HOSTILE)}`]) {
      await page.goto(`${browser.url}${path}`)
      await page.getByText('onerror=').first().waitFor()
      expect(await page.locator('#app img, #app script').count()).toBe(0)
      expect(await page.title()).not.toContain('hacked')
    }
    await page.goto(`${browser.url}/ui/%3Cimg%20src=x%3E/${encodeURIComponent(HOSTILE)}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(problems).toEqual([])
    await context.close()
  })

  it('another site can neither frame the dashboard nor read from the server', async () => {
    const { page, context } = await browser.window()
    await page.route('http://evil.example/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: `<iframe src="${browser.url}/"></iframe>` }),
    )
    await page.goto('http://evil.example/')
    const read = `fetch('${browser.url}/_psp/payments').then(() => 'read', () => 'failed')`
    expect(await page.evaluate(read)).toBe('failed')
    expect(
      await page
        .frames()[1]
        ?.evaluate('document.getElementById("app")')
        .catch(() => null),
    ).toBeNull()
    await context.close()
  })
})

describeInBrowser('a dashboard whose server stops', () => {
  let browser: BrowserFixture
  let sandbox: Sandbox
  let server: RunningServer | undefined
  const systemClock = createSystemClock()
  beforeAll(async () => {
    browser = await createBrowserFixture()
    sandbox = await assembleSandbox({ clock: { mode: 'frozen' } })
  })
  afterAll(async () => {
    await server?.close({ grace_ms: 0 })
    await sandbox.close()
    await browser.close()
  })

  it('shows a banner, reconnects, and catches up with what it missed', async () => {
    server = await startServer(sandbox, { port: 0, host: '127.0.0.1', systemClock })
    const port = Number(new URL(server.url).port)
    const create = (order_id: string) =>
      sandbox.fetch(
        new Request(`http://127.0.0.1:${port}/_psp/payments`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ amount: 100, order_id }),
        }),
      )
    const { page, context } = await browser.window()
    const dot = () =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('.header [role=status]'), '::before').background`)
    await create('BEFORE-1')
    await page.goto(`http://127.0.0.1:${port}/`)
    await rows(page).filter({ hasText: 'BEFORE-1' }).waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    const live = await dot()
    await server.close({ grace_ms: 0 })
    await page.getByRole('alert').filter({ hasText: 'Connection lost' }).waitFor()
    await expect.poll(dot).not.toBe(live)
    await create('MISSED-1')
    server = await startServer(sandbox, { port, host: '127.0.0.1', systemClock })
    await rows(page).filter({ hasText: 'MISSED-1' }).waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    expect(await page.getByRole('alert').filter({ hasText: 'lost' }).count()).toBe(0)
    await context.close()
  })
})

describeInBrowser('eight tabs of the dashboard', () => {
  let browser: BrowserFixture
  beforeAll(async () => {
    browser = await createBrowserFixture({ clock: { mode: 'frozen' } })
  })
  afterAll(() => browser.close())
  let close = async () => {}
  afterEach(() => close())

  it('eight tabs share one stream, and another tab takes over if the first one is closed', async () => {
    const { page, context } = await browser.window()
    close = () => context.close()
    let streams = 0
    context.on('request', (request) => {
      if (request.url().endsWith('/_psp/stream?interval=250ms')) streams++
    })
    const tabs = [page]
    for (let i = 1; i < 8; i++) tabs.push(await context.newPage())
    // The first tab must lead, because it is the one that is closed.
    await page.goto(`${browser.url}/ui/payments`)
    await page.getByText('Live', { exact: true }).waitFor()
    for (const tab of tabs.slice(1)) await tab.goto(`${browser.url}/ui/payments`)
    await Promise.all(tabs.map((tab) => tab.getByText('Live', { exact: true }).waitFor()))
    expect(streams).toBe(1)
    await browser.create({ order_id: 'ALL-TABS' })
    await Promise.all(tabs.map((tab) => rows(tab).filter({ hasText: 'ALL-TABS' }).waitFor()))
    await page.close()
    await expect.poll(() => streams).toBe(2)
    await browser.create({ order_id: 'SEVEN-TABS' })
    await Promise.all(tabs.slice(1).map((tab) => rows(tab).filter({ hasText: 'SEVEN-TABS' }).waitFor()))
  })
})
