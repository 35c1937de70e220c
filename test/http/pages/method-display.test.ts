// What a method needs and no type asks for.
import { describe, expect, test } from 'vitest'
import { METHODS, PAGE_METHODS, type PageForm, picksBank } from '../../../src/domain/payment-methods.ts'
import { MESSAGES } from '../../../src/http/pages/messages.ts'
import { METHOD_DISPLAY } from '../../../src/http/pages/method-display.ts'
import { CARD, rig } from './fixtures.ts'

/** Forms that end in an app. */
const IN_APP: readonly string[] = ['sbp', 'wallet'] satisfies PageForm[]

describe.each(PAGE_METHODS)('%s', (method) => {
  test('has the colours of its mark', async () => {
    const { ask } = await rig()
    const css = await (await ask('/pay/assets/page.css')).text()
    // The names alone: a failure shows a line of them, not the sheet.
    expect(css.match(/(?<=\.mark-)\w+(?= \{)/g)).toContain(method)
  })

  test('is chosen and paid on the page, by one of its payers', async () => {
    const pages = await rig()
    const id = await pages.create()
    await pages.post(id, 'method', { method })
    expect(await pages.status(id)).toMatchObject({ method, step: METHODS[method].page })
    await pages.post(id, 'pay', CARD)
    await pages.sandbox.timeline.advance({ by: 60_000 })
    const seen = METHODS[method].channel === 'card' ? 'customer_card_mask' : 'customer_phone_mask'
    expect(await pages.payment(id)).toMatchObject({ status: 'succeeded', method, [seen]: expect.any(String) })
  })

  test('names itself on the app screen, where it has one', async () => {
    const pages = await rig()
    const id = await pages.create({ method })
    const app = await pages.open(id, '?view=app&lang=en')
    const bar = /<p class="phone-bar"[^>]*>([^<]*)</.exec(app)?.[1]
    const name = picksBank(method) ? MESSAGES.app_bank[0] : METHOD_DISPLAY[method].name[0]
    expect(bar).toBe(!IN_APP.includes(METHODS[method].page) ? undefined : MESSAGES.app_name[0].replace('{bank}', name))
  })
})
