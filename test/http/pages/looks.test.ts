// What a method needs and no type asks for.
import { describe, expect, test } from 'vitest'
import { PAGE_METHODS } from '../../../src/domain/payment.ts'
import { TEXTS } from '../../../src/http/pages/texts.ts'
import { rig } from './rig.ts'

describe.each(PAGE_METHODS)('%s', (method) => {
  test('has the colours of its mark', async () => {
    const { ask } = await rig()
    const css = await (await ask('/pay/assets/page.css')).text()
    // The names alone: a failure shows a line of them, not the sheet.
    expect(css.match(/(?<=\.mark-)\w+(?= \{)/g)).toContain(method)
  })

  test('names itself on the app screen, where it has one', async () => {
    const pages = await rig()
    const id = await pages.create({ method })
    const app = await pages.open(id, '?view=app&lang=en')
    const bar = /<p class="phone-bar"[^>]*>([^<]*)</.exec(app)?.[1]
    const name = method === 'sbp' ? TEXTS.app_bank[0] : TEXTS[method][0]
    expect(bar).toBe(method === 'cards' ? undefined : TEXTS.app_name[0].replace('{bank}', name))
  })
})
