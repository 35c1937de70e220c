// Requirements of a payment method that no type checks.
import { describe, expect, test } from 'vitest'
import { METHODS, PAGE_METHODS, type PageForm, picksBank } from '../../../src/domain/payment-methods.ts'
import { MESSAGES } from '../../../src/http/pages/messages.ts'
import { METHOD_DISPLAY } from '../../../src/http/pages/method-display.ts'
import { CARD, createPageFixture } from './fixtures.ts'

/** Forms that lead to an app. */
const IN_APP: readonly string[] = ['sbp', 'wallet'] satisfies PageForm[]

describe.each(PAGE_METHODS)('%s', (method) => {
  test('the method has the colours of its icon', async () => {
    const { ask } = await createPageFixture()
    const css = await (await ask('/pay/assets/page.css')).text()
    // Compare only the names, so that a failure does not print the whole style sheet.
    expect(css.match(/(?<=\.mark-)\w+(?= \{)/g)).toContain(method)
  })

  test('the method can be paid on the page, by one of its payers', async () => {
    const pages = await createPageFixture()
    const id = await pages.create()
    expect(await pages.open(id, `?method=${method}`)).toContain(`data-step="${METHODS[method].page}"`)
    await pages.post(id, 'pay', { ...CARD, method })
    await pages.sandbox.timeline.advance({ by: 60_000 })
    const seen = METHODS[method].network === 'card' ? 'customer_card_mask' : 'customer_phone_mask'
    expect(await pages.payment(id)).toMatchObject({ status: 'succeeded', method, [seen]: expect.any(String) })
  })

  test('the app screen shows the name of the method', async () => {
    const pages = await createPageFixture()
    const id = await pages.create({ method })
    const app = await pages.open(id, '?view=app&lang=en')
    const bar = /<p class="phone-bar"[^>]*>([^<]*)</.exec(app)?.[1]
    const name = picksBank(method) ? MESSAGES.app_bank[0] : METHOD_DISPLAY[method].name[0]
    expect(bar).toBe(!IN_APP.includes(METHODS[method].page) ? undefined : MESSAGES.app_name[0].replace('{bank}', name))
  })
})
