// A developer looks for the reason why the handler rejected a webhook, and compares its attempts.
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { type BrowserFixture, createBrowserFixture, describeInBrowser, fitsWithin } from '../fixtures.ts'
import { createReceiver, dashboardParts, type Receiver } from './fixtures.ts'

describeInBrowser('the attempts of a webhook', () => {
  let browser: BrowserFixture
  let receiver: Receiver
  let rejects = true
  beforeAll(async () => {
    browser = await createBrowserFixture({ clock: { mode: 'frozen' } })
    receiver = await createReceiver((response) =>
      response.writeHead(rejects ? 400 : 200).end(rejects ? 'No signature matches the payload' : 'ok'),
    )
    const { shop_id } = browser.caller()
    browser.sandbox.engine.execute('create_endpoint', { shop_id, input: { url: receiver.url } })
  })
  afterAll(async () => {
    receiver.close()
    await browser.close()
  })

  let opened: Awaited<ReturnType<BrowserFixture['window']>>
  let page: Page
  beforeEach(async () => {
    rejects = true
    opened = await browser.window()
    page = opened.page
  })
  afterEach(async () => {
    await opened.context.close()
    expect(opened.problems).toEqual([])
  })
  const { button, row, detail, toast } = dashboardParts(() => page)

  /** Pays a payment, and makes the first attempt of its webhook. */
  async function paid(order: string): Promise<string> {
    const id = await browser.create({ order_id: order, method: 'sbp' })
    browser.sandbox.engine.execute('act_on_payment', { payment_id: id, act: { action: 'pay' } })
    await browser.sandbox.timeline.advance({ by: 1000 })
    return id
  }

  it('a rejected attempt shows that its signature is valid, and what the handler may do wrong', async () => {
    const id = await paid('WHY-1')
    await page.goto(`${browser.url}/ui/payments/${id}`)
    await detail().locator('summary').filter({ hasText: '400' }).click()
    const verdict = detail().getByText('valid signature', { exact: true })
    expect(await verdict.getAttribute('class')).toContain('tone-success')
    await detail()
      .getByText('The sent bytes and signature are valid, so check the receiver. Verify the raw bytes')
      .waitFor()
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      await fitsWithin(page, width)
      await browser.shot(page, `diagnosis-${width}`)
    }
  })

  it('Russian translates the diagnosis, and the error of a detail that did not load', async () => {
    const id = await paid('WHY-4')
    await page.goto(`${browser.url}/ui/payments/${id}`)
    await page.getByLabel('Language').selectOption('ru')
    await detail().locator('summary').filter({ hasText: '400' }).click()
    await detail().getByText('Подпись верна, её время в пределах допуска.').waitFor()
    await detail().getByText('Тело и подпись отправлены верно: ищите причину у получателя.').waitFor()
    const error = { code: 'storage_unavailable', message: 'The disk is full.' }
    await page.route('**/_psp/events?object_id=*', (route) => route.fulfill({ status: 503, json: { error } }))
    await page.reload()
    await detail().getByText('Сервер не смог сохранить изменение.').waitFor()
    // The browser reports each failed request, some later than the page shows it.
    await page.goto('about:blank')
    opened.problems.length = 0
  })

  it('an attempt that a fault changed shows that its signature is invalid', async () => {
    browser.sandbox.engine.execute('add_fault', { target: 'webhook', fault: 'tamper', times: 1 })
    const id = await paid('WHY-2')
    await page.goto(`${browser.url}/ui/payments/${id}`)
    await detail().locator('summary').filter({ hasText: '400' }).click()
    const verdict = detail().getByText('invalid signature', { exact: true })
    expect(await verdict.getAttribute('class')).toContain('tone-failure')
    await detail().getByText('The fault tamper changed it.').waitFor()
  })

  it('the last two attempts of a delivery are compared, and others can be chosen', async () => {
    await paid('WHY-3')
    await browser.sandbox.timeline.advance({ by: 60_000 })
    rejects = false
    await page.goto(`${browser.url}/ui/webhooks?q=payment.succeeded`)
    await row('payment.succeeded').first().getByRole('link').click()
    await button('Resend').click()
    await toast('Sent: 200')
    await detail().getByText('Compare two attempts').click()
    const compared = detail().getByRole('listitem')
    await compared.filter({ hasText: '- result 400' }).waitFor()
    await compared.filter({ hasText: '+ result 200' }).waitFor()
    await compared.filter({ hasText: '- body No signature matches the payload' }).waitFor()
    await compared.filter({ hasText: 'x-psp-event-id equal' }).waitFor()
    await detail().getByLabel('Later attempt').selectOption('2')
    await detail().getByLabel('Earlier attempt').selectOption('1')
    await compared.filter({ hasText: 'result equal' }).waitFor()
    await browser.shot(page, 'comparison')
  })

  it.each([
    [1920, true],
    [1280, false],
  ])('at %i px, the response is next to the request: %j', async (width, isNext) => {
    const id = await paid(`WIDE-${width}`)
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`${browser.url}/ui/payments/${id}`)
    await detail().locator('summary').filter({ hasText: '400' }).click()
    const top = async (title: string) =>
      (await detail().getByRole('heading', { name: title, exact: true }).boundingBox())?.y ?? Number.NaN
    await detail().getByText('valid signature').waitFor()
    expect((await top('Response')) === (await top('Request'))).toBe(isNext)
    const side = await page.locator('.list-side').boundingBox()
    const cells = await page.locator('.table-row').first().locator('> *:visible').all()
    const last = await cells.at(-1)?.boundingBox()
    expect((last?.x ?? Number.NaN) + (last?.width ?? 0)).toBeLessThanOrEqual((side?.x ?? 0) + (side?.width ?? 0))
  })

  it('a resent webhook is in the list with its toast, before the stream reports it', async () => {
    const id = await paid('AGAIN-1')
    await page.route('**/_psp/stream?*', () => {})
    await page.goto(`${browser.url}/ui/payments/${id}`)
    const attempts = detail().locator('summary').filter({ hasText: '400' })
    await attempts.waitFor()
    await button('Resend').click()
    await toast('Not delivered')
    expect(await page.locator('.toast').getAttribute('class')).toContain('tone-failure')
    await expect.poll(() => attempts.count()).toBe(2)
    await detail().locator('.attempt[open] > summary').filter({ hasText: '2.' }).waitFor()
    const main = await page.locator('#main').boundingBox()
    expect((main?.y ?? 0) + (main?.height ?? 0)).toBe(page.viewportSize()?.height)
  })

  it('resending the failed webhooks has a red toast if a receiver rejects one, and a green toast if it accepts all', async () => {
    const id = await paid('RESEND-1')
    await browser.sandbox.timeline.advance({ until: 'idle' })
    await page.goto(`${browser.url}/ui/webhooks?q=${id}`)
    const resend = async () => {
      await button('Resend the failed webhooks (1)').click()
      await page.getByRole('dialog').getByRole('button', { name: 'Resend the failed webhooks (1)' }).click()
    }
    await resend()
    await toast('Sent again: 1, failed: 1.')
    expect(await page.locator('.toast').getAttribute('class')).toContain('tone-failure')
    rejects = false
    await resend()
    await toast('Sent again: 1.')
    expect(await page.locator('.toast').last().getAttribute('class')).toContain('tone-success')
  })

  it('next to a detail at 1280 px, the filters are behind a button and the list shows failing webhooks', async () => {
    const id = await paid('CALM-1')
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto(`${browser.url}/ui/payments/${id}?status=succeeded`)
    await row('CALM-1').getByText('400', { exact: true }).waitFor()
    const [search, toggle] = [page.getByRole('searchbox'), button('Filters')]
    expect(Math.abs(((await search.boundingBox())?.y ?? 0) - ((await toggle.boundingBox())?.y ?? 99))).toBeLessThan(10)
    expect(await page.locator('.filter').first().isVisible()).toBe(false)
    await toggle.click()
    await page.locator('.filter').first().waitFor()
    await fitsWithin(page, 1280)
    await browser.shot(page, 'next-to-a-detail')
  })

  it('resending many webhooks shows its progress, and can be stopped', async () => {
    const held: (() => void)[] = []
    for (let at = 0; at < 7; at++) await paid(`MANY-${at}`)
    await browser.sandbox.timeline.advance({ until: 'idle' })
    await page.route('**/_psp/deliveries/*/retry', async (route) => {
      await new Promise<void>((resolve) => held.push(resolve))
      await route.continue()
    })
    await page.goto(`${browser.url}/ui/webhooks?q=MANY-`)
    await button('Resend the failed webhooks (7)').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Resend the failed webhooks (7)' }).click()
    await page.getByText('Resending: 0 of 7').waitFor()
    expect(await button('Resend the failed webhooks (7)').isDisabled()).toBe(true)
    await expect.poll(() => held.length).toBe(4)
    held.shift()?.()
    await page.getByText('Resending: 1 of 7').waitFor()
    await expect.poll(() => held.length).toBe(4)
    await page.getByRole('link', { name: 'Events' }).click()
    await button('Stop').click()
    for (const resolve of held.splice(0)) resolve()
    await toast('Stopped. Sent again: 5, failed: 5.')
    expect(await page.getByText('Resending').count()).toBe(0)
  })

  it('a payment whose webhook was rejected has a mark in its row, and a filter finds it', async () => {
    await paid('MARK-1')
    rejects = false
    await paid('MARK-2')
    await page.goto(`${browser.url}/ui/payments?webhook=failed`)
    await row('MARK-1').getByText('400', { exact: true }).waitFor()
    expect(await row('MARK-2').count()).toBe(0)
    await page.getByRole('combobox', { name: /^Webhook/ }).selectOption('ok')
    await row('MARK-2').waitFor()
    expect(await row('MARK-1').count()).toBe(0)
  })

  it('a failed attempt in the timeline shows the response of the receiver, and opens it', async () => {
    const id = await paid('OPEN-1')
    await page.goto(`${browser.url}/ui/payments/${id}`)
    await detail().getByRole('heading', { name: 'Order OPEN-1' }).waitFor()
    const attempt = detail().locator('summary').filter({ hasText: '"No signature matches the payload"' })
    await attempt.waitFor()
    expect(await detail().getByText('Verify the raw bytes').count()).toBe(0)
    await detail().getByRole('listitem').getByRole('link', { name: '400', exact: true }).click()
    await detail().getByText('Verify the raw bytes').waitFor()
    await page.locator('summary:focus').filter({ hasText: 'No signature matches' }).waitFor()
  })

  it('the webhooks have the order of their payment, and are found by it', async () => {
    await paid('HOOK-1')
    await paid('HOOK-2')
    await page.goto(`${browser.url}/ui/webhooks?q=hook-1`)
    await row('HOOK-1').waitFor()
    expect(await row('HOOK-2').count()).toBe(0)
  })

  it('while the clock advances, its button is disabled and shows the time', async () => {
    const id = await paid('SLOW-1')
    await page.goto(`${browser.url}/ui/payments/${id}`)
    let run = () => {}
    const runs = new Promise<void>((resolve) => {
      run = resolve
    })
    await page.route('**/_psp/clock/advance', async (route) => {
      await runs
      await route.continue()
    })
    await button('Advance the clock to here').first().click()
    const running = button(/^Advancing… \d{4}-/)
    await running.waitFor()
    expect(await running.isDisabled()).toBe(true)
    run()
    await toast('The clock advanced')
    await expect.poll(() => running.count()).toBe(0)
  })

  it('the webhooks of a payment are above its fields', async () => {
    const id = await paid('ABOVE-1')
    await page.goto(`${browser.url}/ui/payments/${id}`)
    await detail().locator('summary').filter({ hasText: '400' }).waitFor()
    const titles = await detail().getByRole('heading', { level: 3 }).allTextContents()
    expect(titles.map((title) => title.split(' ')[0])).toEqual(['Timeline', 'Webhooks', 'Fields', 'Metadata'])
  })

  it('the listeners are above the webhooks, with their connection and their last webhook', async () => {
    const url = 'http://localhost:3000/my-shop'
    const { shop_id } = browser.caller()
    const body = JSON.stringify({ shop_id, url })
    const headers = { 'content-type': 'application/json' }
    const made = await fetch(`${browser.url}/_psp/listeners`, { method: 'POST', headers, body })
    const { id } = (await made.json()) as { id: string }
    await page.goto(`${browser.url}/ui/webhooks`)
    const listener = page.getByRole('list', { name: 'Listeners' }).getByRole('listitem').filter({ hasText: url })
    await listener.getByText('not connected').waitFor()
    const ended = new AbortController()
    await fetch(`${browser.url}/_psp/listeners/${id}/stream`, { signal: ended.signal })
    await listener.getByText(/^connected for \d+ m?s$/).waitFor()
    await listener.getByText('no webhook yet').waitFor()
    const pays = paid('LISTENER-1')
    await listener.getByText('last webhook').waitFor()
    await browser.shot(page, 'listeners')
    ended.abort()
    await pays
    await listener.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect.poll(() => listener.count()).toBe(0)
  })
})
