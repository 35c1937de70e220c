import { afterEach, describe, expect, it } from 'vitest'
import { FAILURE_MESSAGES } from '../../../src/http/pages/failure-messages.ts'
import { createLocalizer } from '../../../src/http/pages/localizer.ts'
import { HOME_MESSAGES, MESSAGES, type Translation } from '../../../src/http/pages/messages.ts'
import { METHOD_DISPLAY } from '../../../src/http/pages/method-display.ts'
import { createPageFixture, type PageFixture } from './fixtures.ts'

const METHOD_TEXTS = Object.fromEntries(
  Object.entries(METHOD_DISPLAY).flatMap(([method, look]: [string, { name: Translation; hint?: Translation }]) => [
    [method, look.name],
    ...(look.hint === undefined ? [] : [[`${method}_hint`, look.hint]]),
  ]),
) as { readonly [key: string]: Translation }

describe('language', () => {
  it.each([
    ['ru', 'en', 'ru'],
    ['en', 'ru-RU', 'en'],
    [undefined, 'ru-RU,ru;q=0.9,en;q=0.8', 'ru'],
    [undefined, 'de, en;q=0.3, ru;q=0.7', 'ru'],
    [undefined, 'ru;q=0, en', 'en'],
    [undefined, 'de', 'en'],
    ['xx', undefined, 'en'],
    [undefined, ',;;q=,ru;q=zz', 'ru'],
  ])('?lang=%s and Accept-Language %s select the language %s', (asked, accepted, language) => {
    expect(createLocalizer(asked, accepted).language).toBe(language)
  })

  it.each(Object.entries({ ...MESSAGES, ...HOME_MESSAGES, ...FAILURE_MESSAGES, ...METHOD_TEXTS }))(
    'the message %s has the same placeholders in both languages',
    (_key, [en, ru]) => {
      const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([placeholder]) => placeholder).sort()
      expect(en).not.toBe('')
      expect(placeholders(ru)).toEqual(placeholders(en))
    },
  )
})

describe('money', () => {
  it.each([
    ['ru', 150_000, 'RUB', '1\u00A0500,00\u00A0₽'],
    ['en', 150_000, 'RUB', '₽1,500.00'],
    ['en', 5, 'JPY', '¥5'],
    ['en', 1_234, 'KWD', 'KWD\u00A01.234'],
    ['en', 9_007_199_254_740_991, 'USD', '$90,071,992,547,409.91'],
    ['en', 100, 'HUF', 'Ft\u00A01.00'],
  ])('in the language %s, %i of %s is shown as %s', (language, amount, currency, shown) => {
    expect(createLocalizer(language, undefined).money(amount, currency)).toBe(shown)
  })
})

describe('the language of the page', () => {
  let pages: PageFixture
  afterEach(() => pages.sandbox.close())

  it('the page is in Russian on request, and its links and forms keep the language', async () => {
    pages = await createPageFixture()
    const id = await pages.create()
    expect(await pages.open(id, '', { 'accept-language': 'ru' })).toContain('<html lang="ru">')
    const page = await pages.open(id, '?lang=ru')
    expect(page).toContain('Как вы хотите оплатить?')
    expect(page).toContain('name="lang" value="ru"')
    expect(page).toContain(`action="${id}/act?lang=ru"`)
    const other = await pages.open(id, '?lang=en', { 'accept-language': 'ru' })
    expect(other).toContain('How would you like to pay?')
  })

  it.each(['succeeded', 'failed', 'cancelled', 'expired', 'refunded'])(
    'the page describes the status %s',
    async (status) => {
      pages = await createPageFixture()
      const id = await pages.create({ method: 'sbp' })
      const { engine } = pages.sandbox
      const payment = engine.world.get('payments', id)
      const caller = { shop_id: payment?.shop_id ?? '', mode: 'test' } as const
      const act = (action: 'pay' | 'expire' | 'decline') =>
        engine.execute('act_on_payment', { payment_id: id, act: { action } })
      if (status === 'succeeded' || status === 'refunded') act('pay')
      if (status === 'refunded') engine.execute('refund_payment', { caller, payment_id: id })
      if (status === 'failed') act('decline')
      if (status === 'expired') act('expire')
      if (status === 'cancelled') engine.execute('cancel_payment', { caller, payment_id: id })
      const page = await pages.open(id)
      expect(page).toContain(`data-step="${status}"`)
      expect(page).toContain(`<h1 data-headline>${MESSAGES[`${status}_title` as 'failed_title'][0]}</h1>`)
      expect(page).not.toContain('data-countdown')
    },
  )
})
