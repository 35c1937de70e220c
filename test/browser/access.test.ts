// The parts of WCAG 2.2 AA that a program can check: axe-core, the accessibility tree, the keyboard, motion and spacing.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PAGE_METHODS } from '../../src/domain/payment-methods.ts'
import { METHOD_DISPLAY } from '../../src/http/pages/method-display.ts'
import { NOT_BUILT } from '../http/dashboard/fixtures.ts'
import { METHOD_PER_FORM, WALLETS } from '../http/pages/methods.ts'
import { loadAxe, smallTargets, violations } from './accessibility.ts'
import { fillCard, waitForPage } from './buyer.ts'
import { type BrowserFixture, createBrowserFixture, describeInBrowser, fitsWithin } from './fixtures.ts'

/** Runs in the page. Returns the name and the outline of the focused element. */
const FOCUSED = `(() => {
  const active = document.activeElement
  const label = active instanceof HTMLInputElement || active instanceof HTMLSelectElement ? active.labels?.[0] : active
  return { name: label?.textContent ?? '', outline: getComputedStyle(active).outlineStyle }
})()`

/** Returns the accessibility tree of the main part, without the addresses of links, which contain ids. */
async function treeOf(page: Page): Promise<string> {
  return (await page.locator('main').ariaSnapshot()).replace(/\n *- \/url: .*/g, '')
}

async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press('Tab')
    const shown = await page.evaluate<{ name: string; outline: string }>(FOCUSED)
    if (!name.test(shown.name)) continue
    expect(shown.outline).not.toBe('none')
    return
  }
  throw new Error(`Tab never reaches ${name}`)
}

describeInBrowser('the accessibility of the hosted page', () => {
  let browser: BrowserFixture
  beforeAll(async () => {
    // The page at / is that for browsers without JavaScript.
    browser = await createBrowserFixture({ dashboardFiles: NOT_BUILT })
  })
  afterAll(() => browser.close())

  const ended = (id: string, act: object) =>
    browser.sandbox.engine.execute('act_on_payment', { payment_id: id, act: act as { action: 'pay' } })

  /** Each state of the page, with the payment and the actions that lead to it. */
  const PAGE_STATES: {
    readonly [state: string]: { body?: object; query?: string; go?(page: Page, id: string): unknown }
  } = {
    choose: {},
    sbp: { body: { method: 'sbp' } },
    'a bank search without a hit': { body: { method: 'sbp' }, query: '?q=zzz' },
    'bank app': { body: { method: 'sbp' }, query: '?view=app&bank=100000000008' },
    wallet: { body: { method: WALLETS[0] } },
    ...Object.fromEntries(WALLETS.map((method) => [`${method} app`, { body: { method }, query: '?view=app' }])),
    card: { body: { method: 'cards' } },
    'card with mistakes': {
      body: { method: 'cards' },
      go: (page) => page.getByRole('button', { name: 'Pay ' }).click(),
    },
    '3-D Secure': {
      body: { method: 'cards' },
      async go(page) {
        await fillCard(page, '4000000000003220')
        await page.getByRole('button', { name: 'Pay ' }).click()
        await waitForPage(page, 'Confirm the payment')
      },
    },
    processing: {
      body: { method: 'sbp', amount: 10_068 },
      query: '?view=app',
      async go(page) {
        await page.getByRole('button', { name: 'Confirm' }).click()
        await waitForPage(page, 'Payment in progress')
      },
    },
    recurrent: { body: { method: 'recurrent', amount: 10_001 } },
    succeeded: {
      body: { method: 'cards', return_url: 'https://shop.example/' },
      query: '?stay=1',
      async go(page, id) {
        ended(id, { action: 'pay' })
        await waitForPage(page, 'Paid')
      },
    },
    failed: { body: { method: 'sbp', amount: 10_073 } },
    expired: {
      async go(page, id) {
        ended(id, { action: 'expire' })
        await waitForPage(page, 'Time is up')
      },
    },
    cancelled: {
      async go(page, id) {
        browser.sandbox.engine.execute('cancel_payment', { caller: browser.caller(), payment_id: id })
        await waitForPage(page, 'Payment cancelled')
      },
    },
    refunded: {
      body: { method: 'sbp' },
      async go(page, id) {
        ended(id, { action: 'pay' })
        browser.sandbox.engine.execute('refund_payment', { caller: browser.caller(), payment_id: id })
        await waitForPage(page, 'Refunded')
      },
    },
  }

  it.each(Object.keys(PAGE_STATES))('axe finds no violations in light, dark, wide and narrow: %s', async (state) => {
    const { page, context } = await browser.window()
    const { body = {}, query = '', go } = PAGE_STATES[state] ?? {}
    const id = await browser.create(body)
    await page.goto(`${browser.url}/pay/${id}${query}`)
    await go?.(page, id)
    await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    await loadAxe(page)
    const name = state.toLowerCase().replaceAll(' ', '-')
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const width of [1280, 320]) {
        await page.setViewportSize({ width, height: 740 })
        expect(await violations(page, colorScheme === 'light' ? 'all' : 'colours')).toEqual([])
        expect(await smallTargets(page, '.skip')).toEqual([])
        await fitsWithin(page, width)
        await browser.shot(page, `look-${name}-${colorScheme}-${width}`)
      }
    }
    await context.close()
  })

  it.each(['en', 'ru'])('axe finds no violations on the page at / in %s', async (locale) => {
    const { page, context } = await browser.window({ locale })
    ended(await browser.create({ order_id: 'a-long-order-number-of-some-shop-2026-05-06-0001' }), { action: 'pay' })
    await page.goto(`${browser.url}/`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await loadAxe(page)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const width of [1280, 320]) {
        await page.setViewportSize({ width, height: 740 })
        expect(await violations(page, colorScheme === 'light' ? 'all' : 'colours')).toEqual([])
        expect(await smallTargets(page, '.skip')).toEqual([])
        await fitsWithin(page, width)
        await browser.shot(page, `look-home-${locale}-${colorScheme}-${width}`)
      }
    }
    await page.getByRole('link', { name: 'succeeded' }).first().click()
    await waitForPage(page, locale === 'en' ? 'Paid' : 'Оплачено')
    await context.close()
  })

  it('axe finds no violations on the page of an unknown payment', async () => {
    const { page, context } = await browser.window()
    await page.goto(`${browser.url}/pay/00000000-0000-4000-8000-000000000000`)
    await loadAxe(page)
    expect(await violations(page)).toEqual([])
    await browser.shot(page, 'look-unknown')
    await context.close()
  })

  it('the accessibility tree contains the shop, the amount and each payment method', async () => {
    const { page, context } = await browser.window({ viewport: { width: 1000, height: 740 } })
    await page.goto(`${browser.url}/pay/${await browser.create()}`)
    expect(await page.locator('#page').ariaSnapshot()).toBe(CHOOSE_TREE)
    await context.close()
  })

  it('the accessibility tree of a card payment contains the methods, the fields and the one-time code', async () => {
    const { page, context } = await browser.window({ viewport: { width: 1000, height: 740 } })
    await page.goto(`${browser.url}/pay/${await browser.create()}?method=cards`)
    expect(await treeOf(page)).toBe(CARD_TREE)
    await fillCard(page, '4000000000003220')
    await page.getByRole('button', { name: 'Pay ' }).click()
    await waitForPage(page, 'Confirm the payment')
    await page.getByLabel('Code from your bank').fill('000000')
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.locator('#code-error').getByText('Wrong code').waitFor()
    expect(await treeOf(page)).toBe(CODE_TREE)
    await context.close()
  })

  it('the description of each field contains its error, and the description of the card number contains the brand', async () => {
    const { page, context } = await browser.window()
    await page.goto(`${browser.url}/pay/${await browser.create({ method: 'cards' })}`)
    const number = page.getByRole('textbox', { name: 'Card number' })
    await number.pressSequentially('2200000000010004')
    await page.keyboard.press('Enter')
    const described = (id: string) =>
      page.evaluate<string>(`document.getElementById('${id}').getAttribute('aria-describedby').split(' ')
        .map((each) => document.getElementById(each).textContent).filter(Boolean).join(' ')`)
    expect(await number.getAttribute('aria-invalid')).toBe('true')
    expect(await described('number')).toBe('Мир The card number is not valid. Check its digits.')
    expect(await described('cvc')).toContain('Enter 3 digits.')
    await context.close()
  })

  it('a change is announced and gets the focus', async () => {
    const { page, context } = await browser.window()
    const id = await browser.create({ method: 'sbp' })
    await page.goto(`${browser.url}/pay/${id}`)
    await page.getByRole('link', { name: 'Open the bank app' }).focus()
    ended(id, { action: 'pay' })
    await waitForPage(page, 'Paid')
    expect(await page.getByRole('status').textContent()).toBe('Paid')
    expect(await page.evaluate('document.activeElement.id')).toBe('main')
    await context.close()
  })

  it('a change keeps the focus in the panel', async () => {
    const { page, context } = await browser.window()
    const id = await browser.create({ method: 'any' })
    await page.goto(`${browser.url}/pay/${id}?panel=open`)
    await page.getByLabel('Decline code').selectOption('card_lost')
    await page.getByLabel('Decline code').focus()
    ended(id, { action: 'choose_method', method: 'cards' })
    await waitForPage(page, 'Pay by card')
    expect(await page.evaluate('document.activeElement.id')).toBe('act-code')
    expect(await page.getByLabel('Decline code').inputValue()).toBe('card_lost')
    await context.close()
  })

  it('a buyer with only a keyboard can choose a card and pay', async () => {
    const { page, context } = await browser.window()
    await page.goto(`${browser.url}/pay/${await browser.create()}`)
    await tabTo(page, /Skip to payment/)
    await tabTo(page, /Bank card/)
    await page.keyboard.press('Enter')
    await waitForPage(page, 'Pay by card')
    await page.locator('#number:focus').waitFor()
    await page.keyboard.type('2200000000010003')
    await page.locator('#expiry:focus').waitFor()
    await page.keyboard.type('1239')
    await page.locator('#cvc:focus').waitFor()
    await page.keyboard.type('123')
    await page.keyboard.press('Enter')
    await waitForPage(page, 'Paid')
    await context.close()
  })

  it('a buyer with only a keyboard can search for a bank and decline in its app', async () => {
    const { page, context } = await browser.window({ viewport: { width: 360, height: 740 } })
    await page.goto(`${browser.url}/pay/${await browser.create({ method: 'sbp' })}`)
    await tabTo(page, /Bank name/)
    await page.keyboard.type('альфа')
    await page.getByRole('status').getByText('Banks found: 1').waitFor({ state: 'attached' })
    await tabTo(page, /Alfa-Bank/)
    await page.keyboard.press('Enter')
    await page.getByText('Alfa-Bank app, simulated').waitFor()
    await tabTo(page, /^Decline$/)
    await page.keyboard.press('Enter')
    await waitForPage(page, 'Payment failed')
    await context.close()
  })

  it('a developer with only a keyboard can use the panel', async () => {
    const { page, context } = await browser.window()
    const id = await browser.create({ method: 'sbp' })
    await page.setViewportSize({ width: 1000, height: 800 })
    await page.goto(`${browser.url}/pay/${id}`)
    // Below this width, the panel is not docked, so it is closed at first.
    await tabTo(page, /^Sandbox/)
    await page.keyboard.press('Enter')
    await tabTo(page, /Decline code/)
    await page.keyboard.type('fraud')
    await tabTo(page, /^Decline$/)
    await page.keyboard.press('Enter')
    await waitForPage(page, 'Payment failed')
    expect((await browser.payment(id)).metadata['failure_code']).toBe('fraud_suspected')
    await context.close()
  })

  it.each([
    ['reduce', 0],
    ['no-preference', 1],
  ] as const)('the page respects the preference for motion %s', async (reducedMotion, moving) => {
    const { page, context } = await browser.window({ reducedMotion })
    const id = await browser.create({ method: 'sbp', amount: 10_068 })
    await page.goto(`${browser.url}/pay/${id}?view=app`)
    await page.getByRole('button', { name: 'Confirm' }).click()
    await waitForPage(page, 'Payment in progress')
    expect(
      await page.evaluate(
        'document.getAnimations().filter((each) => each.effect.getTiming().iterations === Infinity).length',
      ),
    ).toBe(moving)
    await context.close()
  })

  it('the page has dark text on paper, stronger lines for more contrast, and marks the chosen tab in forced colours', async () => {
    const { page, context } = await browser.window()
    await page.goto(`${browser.url}/pay/${await browser.create()}?method=cards`)
    const styleOf = (selector: string, property: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}'))['${property}']`)
    await page.emulateMedia({ colorScheme: 'dark', media: 'print' })
    expect(await styleOf('body', 'color')).toBe('rgb(18, 21, 31)')
    await page.emulateMedia({ colorScheme: 'light', media: 'screen', contrast: 'more' })
    expect(await styleOf('#cvc', 'borderTopColor')).toBe(await styleOf('body', 'color'))
    await page.emulateMedia({ contrast: 'no-preference', forcedColors: 'active' })
    expect(await styleOf('.ways [aria-current]', 'outlineStyle')).toBe('solid')
    await context.close()
  })

  it('wider text spacing (WCAG 1.4.12) does not cut off any text', async () => {
    const { page, context } = await browser.window({
      viewport: { width: 320, height: 740 },
      bypassCSP: true,
      locale: 'ru',
    })
    for (const method of METHOD_PER_FORM) {
      await page.goto(`${browser.url}/pay/${await browser.create({ method })}?panel=open`)
      await page.addStyleTag({
        content:
          '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }',
      })
      await fitsWithin(page, 320)
      expect(
        await page.evaluate(
          `[...document.querySelectorAll('.button, .tile, .badge, h1, .amount-value')].filter((each) => each.checkVisibility() && (each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).display !== 'inline')).map((each) => each.outerHTML.slice(0, 90))`,
        ),
      ).toEqual([])
    }
    await context.close()
  })
})

const CHOOSE_TREE = `
- banner "Your order":
  - text: Local shop Test mode
  - paragraph:
    - text: To pay
    - strong: ₽1,500.00
  - group:
    - term: Order
    - definition: A-1042
    - term: Description
    - definition: Two tickets, row 7
  - paragraph:
    - text: Time left to pay
    - timer: 24 h
- main:
  - heading "How would you like to pay?" [level=1]
${PAGE_METHODS.map((method) => `  - button "${METHOD_DISPLAY[method].name[0]} ${METHOD_DISPLAY[method].hint[0]}"`).join('\n')}
- complementary "Sandbox":
  - group: "Sandbox Plan: succeeded"
`.trim()

const CARD_TREE = `
- main:
  - navigation "How would you like to pay?":
    - list:
      - listitem:
        - link "SBP":
      - listitem:
        - link "Card":
      - listitem:
        - link "T-Pay":
      - listitem:
        - link "SberPay":
  - heading "Pay by card" [level=1]
  - paragraph:
    - text: Card number
    - textbox "Card number":
      - /placeholder: 0000 0000 0000 0000
  - paragraph:
    - text: Expires
    - textbox "Expires":
      - /placeholder: MM/YY
  - paragraph:
    - text: CVC
    - textbox "CVC":
      - /placeholder: "000"
    - text: 3 or 4 digits on the card
  - paragraph:
    - text: Name on card (optional)
    - textbox "Name on card (optional)"
  - button "Pay ₽1,500.00"
  - group: Test cards
`.trim()

const CODE_TREE = `
- main:
  - region "Simulated bank, 3-D Secure Confirm the payment":
    - paragraph: Simulated bank, 3-D Secure
    - heading "Confirm the payment" [level=1]
    - paragraph: ₽1,500.00
    - paragraph: Local shop · 400000******3220
    - paragraph:
      - text: Code from your bank
      - textbox "Code from your bank" [invalid]
      - alert: "Wrong code. Attempts left: 2."
    - button "Confirm"
    - button "New code"
    - button "Decline"
    - button "Back to the card"
  - region "Test codes":
    - heading "Test codes" [level=2]
    - list:
      - listitem:
        - link "123456 right":
      - listitem:
        - link "000000 wrong":
      - listitem:
        - link "999999 expired":
`.trim()
