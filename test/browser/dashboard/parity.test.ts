// The dashboard and `psp ui` show the same values of a payment, because both render the same data.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createClient } from '../../../src/client/client.ts'
import type { DetailView } from '../../../src/view-model/detail/blocks.ts'
import { describeRow } from '../../../src/view-model/detail/describe-row.ts'
import { loadDetail } from '../../../src/view-model/feed/run-call.ts'
import type { Detail } from '../../../src/view-model/model.ts'
import { knownMessages } from '../../../src/view-model/rows/stream-message.ts'
import { selectedRow } from '../../../src/view-model/rows/visible-rows.ts'
import { applyActions, createState, NOW } from '../../tui/fixtures.ts'
import { renderFrame } from '../../tui/render-frame.tsx'
import { type BrowserFixture, createBrowserFixture, describeInBrowser } from '../fixtures.ts'

/** Returns every text of a detail that is not a label. */
function valuesOf({ title, summary, blocks }: DetailView): string[] {
  return [
    title,
    ...summary.map(({ text }) => text),
    ...blocks.flatMap((block) => {
      switch (block.kind) {
        case 'fields':
          return block.rows.map(({ value }) => value)
        case 'lines':
          return block.lines.flatMap((line) => line.map(({ text }) => text))
        case 'timeline':
          return block.steps.flatMap(({ label, details }) => [label, ...details.split('  ')])
        case 'webhooks':
          return block.events.flatMap(({ id, event, deliveries }) => [
            id,
            event,
            ...deliveries.flatMap(({ url, status, attempts }) => [
              url,
              status,
              ...attempts.map(({ result }) => result),
            ]),
          ])
        default:
          return []
      }
    }),
  ].filter((text) => text !== '')
}

/** Both renderers break lines, the terminal also between words. */
const plain = (text: string) => text.replaceAll(/[\s│]+/gu, '')

describeInBrowser('the dashboard and the terminal view', () => {
  let browser: BrowserFixture
  beforeAll(async () => {
    browser = await createBrowserFixture({ clock: { mode: 'frozen' } })
    const { shop_id } = browser.caller()
    browser.sandbox.engine.execute('create_endpoint', { shop_id, input: { url: 'http://127.0.0.1:9/hooks' } })
  })
  afterAll(() => browser.close())

  it('the dashboard and `psp ui` show the same values of a payment', async () => {
    const id = await browser.create({ method: 'sbp', metadata: { cart: '42' }, return_url: 'https://shop.example/' })
    browser.sandbox.engine.execute('act_on_payment', { payment_id: id, act: { action: 'pay' } })
    const refund = { caller: browser.caller(), payment_id: id, amount: 5000, reason: 'wrong size' }
    browser.sandbox.engine.execute('refund_payment', refund)
    await browser.sandbox.timeline.advance({ by: 1000 })

    const client = createClient({ fetch, baseUrl: browser.url } as Parameters<typeof createClient>[0])
    const { items } = await client.control.messages(id)
    const batch = knownMessages(items)
    const payments = (await client.control.lists.payments({ id })).items
    const loaded = await loadDetail(client, 'payments', id)
    const { state } = applyActions(
      createState(220, 150),
      { type: 'lists', lists: { payments, payouts: [], deliveries: [], requests: [], lastMessageId: 0 } },
      { type: 'messages', batch, now: NOW },
      { type: 'detail_loaded', pane: 'payments', id, loaded },
    )
    const row = selectedRow(state)
    if (row === undefined) throw new Error('The view shows no payment.')
    const view = describeRow(row, state.detail as Detail, { bankName: () => undefined, historyLoading: false })
    const values = valuesOf(view)
    expect(values.length).toBeGreaterThan(20)

    const { page, context } = await browser.window()
    await page.goto(`${browser.url}/ui/payments/${id}`)
    await page.getByRole('article').getByText('attempt 1 of payment.succeeded').waitFor()
    const shown = plain((await page.getByRole('article').textContent()) ?? '')
    const frame = plain(renderFrame(state))
    expect(values.filter((value) => !shown.includes(plain(value)))).toEqual([])
    expect(values.filter((value) => !frame.includes(plain(value)))).toEqual([])
    await context.close()
  })
})
