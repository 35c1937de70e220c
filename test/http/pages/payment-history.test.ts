// The history of a payment on the panel: transitions, commands, webhook attempts and the return.
import { afterEach, describe, expect, it } from 'vitest'
import { deferred } from '../../../src/domain/promises.ts'
import { CARD, createPageFixture, type PageFixture } from './fixtures.ts'

let pages: PageFixture
afterEach(() => pages.sandbox.close())

/** Returns the entries as `time text / detail`. */
async function entriesOf(id: string, query = ''): Promise<string[]> {
  const page = await pages.open(id, query)
  return [
    ...page.matchAll(/<li class="tone-(\w+)" data-entry[^>]*><time[^>]*>([^<]*)<\/time>\s*([\s\S]*?)<\/li>/g),
  ].map(
    ([, tone, time, text = '']) =>
      `${time?.replace('\u00a0', ' ')} ${tone}: ${text
        .replace(/<span class="entry-detail">/g, ' / ')
        .replace(/<[^>]*>/g, '')
        .replaceAll('\u00a0', ' ')
        .trim()}`,
  )
}

async function control(method: string, path: string, body = '{}'): Promise<void> {
  const response = await pages.ask(`/_psp${path}`, { method, headers: { 'content-type': 'application/json' }, body })
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
}

/** Creates a payment that succeeded after 2 s and was refunded after 5 s. */
async function refunded(): Promise<string> {
  const id = await pages.create({ method: 'sbp' })
  await pages.sandbox.timeline.advance({ by: 5000 })
  await pages.refund(id)
  return id
}

describe('the history', () => {
  it('the history lists transitions, each webhook attempt with its status, and planned attempts', async () => {
    const statuses = [500, 200]
    pages = await createPageFixture({ transport: async () => ({ status: statuses.shift() ?? 200 }) })
    const id = await pages.create({ method: 'sbp', webhook_url: 'http://127.0.0.1:3000/hook?token=secret' })
    await pages.open(id)
    await pages.sandbox.timeline.advance({ by: 1500 })
    await pages.post(id, 'pay')
    await pages.sandbox.timeline.advance({ by: 1000 })
    const before = await entriesOf(id)
    expect(before.map((entry) => entry.replace(/\d+ ms/, 'N ms'))).toEqual([
      '+0.0 s plain: The shop created the payment',
      '+0.0 s plain: The buyer opened the page',
      '+1.5 s wait: Bank session opened: SBP',
      '+2.5 s good: The bank approved',
      expect.stringMatching(/^\+2\.5 s bad: Webhook payment\.succeeded \/ .*500.* · 127\.0\.0\.1:3000\/hook$/),
      '+12.5 s wait: Webhook payment.succeeded, attempt 2 is planned / 127.0.0.1:3000/hook',
    ])
    await pages.sandbox.timeline.advance({ by: 10_000 })
    expect((await entriesOf(id)).at(-1)).toMatch(
      /^\+12\.5 s good: Webhook payment\.succeeded, attempt 2 \/ 200, \d+ ms · 127\.0\.0\.1:3000\/hook$/,
    )
    expect(await pages.open(id)).not.toMatch(/token=secret/)
  })

  it('the history marks the attempts of a replay', async () => {
    pages = await createPageFixture({ transport: async () => ({ status: 200 }) })
    const id = await pages.create({ method: 'sbp', webhook_url: 'http://127.0.0.1:3000/hook' })
    await pages.post(id, 'act', { act: 'approve' })
    await pages.sandbox.timeline.advance({ by: 0 })
    const [event] = pages.sandbox.engine.world.find('events', 'by_object', id)
    await control('POST', `/events/${event?.id}/replay`)
    const replays = async (query = '') => (await entriesOf(id, query)).map((entry) => /replay|повтор/.exec(entry)?.[0])
    expect((await replays()).slice(-2)).toEqual([undefined, 'replay'])
    expect((await replays('?lang=ru')).slice(-2)).toEqual([undefined, 'повтор'])
  })

  it('an attempt in flight is in the history, and its response changes the version', async () => {
    const [sent, response] = [deferred(), deferred<{ status: number }>()]
    pages = await createPageFixture({
      transport() {
        sent.resolve()
        return response.promise
      },
    })
    const id = await pages.create({ method: 'sbp', webhook_url: 'http://127.0.0.1:3000/hook' })
    await pages.post(id, 'act', { act: 'approve' })
    await sent.promise
    const lastOf = async (query = '') => (await entriesOf(id, query)).at(-1)
    expect(await lastOf()).toBe('+0.0 s wait: Webhook payment.succeeded is being sent / 127.0.0.1:3000/hook')
    expect(await lastOf('?lang=ru')).toContain('Вебхук payment.succeeded отправляется')
    const before = await pages.status(id)
    // Two attempts are counted: none that is over, and one in flight.
    expect(String(before['historyVersion']).split('.').slice(1)).toEqual(['1', '0', '1', '0'])
    response.resolve({ status: 200 })
    await pages.sandbox.timeline.advance({ by: 0 })
    expect(
      String((await pages.status(id))['historyVersion'])
        .split('.')
        .slice(1),
    ).toEqual(['1', '1', '0', '0'])
    expect(await lastOf()).toMatch(/^\+0\.0 s good: Webhook payment\.succeeded \/ 200, /)
  })

  it('the history in Russian has a Russian reason of a failed attempt', async () => {
    const error = 'Connection refused: nothing listens on 127.0.0.1:3000. Is your server running?'
    pages = await createPageFixture({ transport: async () => ({ error }) })
    const id = await pages.create({ method: 'sbp', webhook_url: 'http://127.0.0.1:3000/hook' })
    await pages.post(id, 'pay')
    await pages.sandbox.timeline.advance({ by: 1000 })
    expect((await entriesOf(id, '?lang=ru')).join()).toContain('Нет соединения: на 127.0.0.1:3000 нет сервера.')
  })

  it('the history shows what a command of the panel did, and the panel repeats the last one', async () => {
    pages = await createPageFixture()
    const id = await pages.create()
    await pages.open(id)
    await pages.post(id, 'order', { order: 'webhook' })
    await pages.post(id, 'act', { quick: 'insufficient_funds' })
    expect((await entriesOf(id)).slice(2)).toEqual([
      '+0.0 s plain: Panel: Webhook first, the buyer returns 3 s later',
      '+0.0 s plain: Panel: the bank declines with insufficient_funds',
      '+0.0 s wait: Bank session opened: SBP',
      '+0.0 s bad: The bank declined / insufficient_funds',
      '+0.0 s plain: payment.failed has no receiver',
    ])
    expect(await pages.open(id)).toMatch(/data-done>.*Done: the bank declines with insufficient_funds\.</)
    expect(await pages.open(id, '?lang=ru')).toMatch(/data-done>.*банк отклоняет с кодом insufficient_funds/)
  })

  it('the history lists the return to the shop, and a return that a fault dropped', async () => {
    pages = await createPageFixture()
    const id = await pages.create({ return_url: 'https://shop.example/back?x=1' })
    await pages.open(id)
    await pages.post(id, 'order', { order: 'never' })
    await pages.post(id, 'act', { act: 'approve' })
    await pages.ask(`/pay/${id}/return`, { redirect: 'manual' })
    expect((await entriesOf(id)).at(-1)).toBe('+0.0 s bad: A fault dropped the return')
    await pages.ask(`/pay/${id}/return?by=hand`, { redirect: 'manual' })
    expect((await entriesOf(id)).at(-1)).toBe('+0.0 s good: The buyer returned to shop.example')
  })

  it('transitions from before the first opening of the page are in the history', async () => {
    pages = await createPageFixture()
    const id = await pages.create({ method: 'sbp' })
    await pages.sandbox.timeline.advance({ by: 1500 })
    const started = ['+0.0 s plain: The shop created the payment', '+1.0 s wait: Bank session opened: SBP']
    expect(await entriesOf(id)).toEqual([...started, '+1.5 s plain: The buyer opened the page'])
    await pages.post(id, 'pay')
    await pages.sandbox.timeline.advance({ by: 1000 })
    expect(await entriesOf(id)).toEqual([
      ...started,
      '+1.5 s plain: The buyer opened the page',
      '+2.5 s good: The bank approved',
      '+2.5 s plain: payment.succeeded has no receiver',
    ])
  })

  it('a payment that was refunded before its page was opened has each transition', async () => {
    pages = await createPageFixture()
    const id = await refunded()
    expect(await entriesOf(id)).toEqual([
      '+0.0 s plain: The shop created the payment',
      '+1.0 s wait: Bank session opened: SBP',
      '+2.0 s good: The bank approved',
      '+2.0 s plain: payment.succeeded has no receiver',
      '+5.0 s plain: The shop refunded the payment',
      '+5.0 s plain: payment.refunded has no receiver',
    ])
  })

  it('after an import the history has the stored end of the payment and its refund', async () => {
    pages = await createPageFixture()
    const id = await refunded()
    await control('PUT', '/import', await (await pages.ask('/_psp/export')).text())
    expect((await entriesOf(id)).filter((entry) => !entry.includes('receiver'))).toEqual([
      '+0.0 s plain: The shop created the payment',
      '+2.0 s good: The bank approved',
      '+5.0 s plain: The shop refunded the payment',
    ])
  })

  it('after a snapshot is restored the history does not have the transitions that followed the snapshot', async () => {
    pages = await createPageFixture()
    const id = await pages.create({ method: 'sbp' })
    await control('PUT', '/snapshots/before')
    await pages.sandbox.timeline.advance({ by: 3000 })
    await control('POST', '/snapshots/before/restore')
    expect(await entriesOf(id)).toEqual([
      '+0.0 s plain: The shop created the payment',
      '+0.0 s plain: The buyer opened the page',
    ])
    const response = await pages.ask(`/_psp/messages?object_id=${id}`)
    const { items } = (await response.json()) as { items: { message: { change?: string } }[] }
    expect(items.flatMap(({ message: { change = [] } }) => change)).toEqual(['updated'])
  })

  it('the status route has a version that changes with each entry, but not the version of the page', async () => {
    const statuses = [500]
    pages = await createPageFixture({ transport: async () => ({ status: statuses.shift() ?? 200 }) })
    const id = await pages.create({ method: 'sbp', webhook_url: 'http://127.0.0.1:3000/hook' })
    await pages.open(id)
    await pages.post(id, 'act', { act: 'approve' })
    await pages.sandbox.timeline.advance({ by: 0 })
    const before = await pages.status(id)
    await pages.sandbox.timeline.advance({ by: 10_000 })
    const after = await pages.status(id)
    expect(after['historyVersion']).not.toBe(before['historyVersion'])
    expect(after['version']).toBe(before['version'])
    expect(await pages.open(id)).toContain(`data-history-version="${after['historyVersion']}"`)
  })

  it('a reset removes the entries of the payments before it', async () => {
    pages = await createPageFixture()
    const id = await pages.create()
    await pages.open(id)
    await pages.ask('/_psp/reset', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })
    expect((await pages.ask(`/pay/${id}/status`)).status).toBe(404)
  })
})

describe('the commands by one press', () => {
  it.each(['insufficient_funds', 'limit_exceeded', 'fraud_suspected', 'issuer_unavailable'])(
    'the button %s declines with this code at once',
    async (code) => {
      pages = await createPageFixture()
      const id = await pages.create()
      await pages.post(id, 'act', { quick: code, code: 'card_lost', method: 'cards' })
      expect(await pages.payment(id)).toMatchObject({
        status: 'failed',
        method: 'cards',
        metadata: { failure_code: code },
      })
    },
  )

  it('a bank that never responds lets the session expire', async () => {
    pages = await createPageFixture()
    const id = await pages.create({ method: 'sbp' })
    await pages.post(id, 'act', { quick: 'no_response' })
    expect(await pages.payment(id)).toMatchObject({ status: 'processing' })
    await pages.sandbox.timeline.advance({ by: 20 * 60_000 })
    expect(await pages.payment(id)).toMatchObject({ status: 'expired', metadata: { failure_code: 'session_timeout' } })
  })

  it('an unknown button gets an error and changes nothing', async () => {
    pages = await createPageFixture()
    const id = await pages.create({ method: 'sbp' })
    expect((await pages.post(id, 'act', { quick: 'card_lost' })).status).toBe(400)
    expect(await pages.payment(id)).toMatchObject({ status: 'pending' })
  })
})

describe('the bar of the panel', () => {
  it.each([
    [{}, '', 'Plan: succeeded', 'Status: succeeded'],
    [{ amount: 10_051 }, '', 'Plan: failed:insufficient_funds', 'Status: succeeded'],
    [{}, '?lang=ru', 'План: одобрит', 'Статус: succeeded'],
    [{ amount: 10_051 }, '?lang=ru', 'План: откажет, insufficient_funds', 'Статус: succeeded'],
    [{ amount: 10_068 }, '?lang=ru', 'План: не ответит', 'Статус: succeeded'],
  ])('the bar of %j with the query "%s" says %s, and is green only at the end', async (body, query, plan, status) => {
    pages = await createPageFixture()
    const id = await pages.create(body)
    const bar = async () => /<span class="plan plan-(\w+)">([^<]*)</.exec(await pages.open(id, query))?.slice(1)
    expect(await bar()).toEqual(['open', plan])
    await pages.post(id, 'act', { act: 'approve' })
    expect(await bar()).toEqual(['succeeded', status])
  })
})

describe('the steps of 3-D Secure', () => {
  it('the history and the messages of the control API contain each step', async () => {
    pages = await createPageFixture()
    const id = await pages.create({ method: 'cards' })
    await pages.open(id)
    const cards = () => pages.post(id, 'pay', { ...CARD, number: '4000000000003220' })
    const confirm = (answer: string, code = '') => pages.post(id, 'confirm', { answer, code })
    await cards()
    for (const code of ['1', '000000', '000000', '999999']) await confirm('yes', code)
    await confirm('resend')
    await confirm('back')
    await cards()
    await confirm('yes', '123456')
    const lines = (await entriesOf(id)).filter((entry) => entry.includes('3-D Secure'))
    const texts = [
      'code requested',
      'incomplete code',
      'wrong code',
      'wrong code',
      'expired code',
      'new code requested',
      'back to card',
      'code requested',
      'confirmed',
    ]
    expect(lines).toEqual(texts.map((text) => `+0.0 s plain: 3-D Secure: ${text}`))
    expect((await entriesOf(id, '?lang=ru')).join()).toContain('3-D Secure: неверный код')

    const response = await pages.ask(`/_psp/messages?object_id=${id}`)
    const { items } = (await response.json()) as { items: { message: { three_ds?: string; change: string } }[] }
    const steps = items.flatMap(({ message: { three_ds, change } }) =>
      three_ds === undefined ? [] : [[change, three_ds]],
    )
    expect(steps.map(([, step]) => step)).toEqual([
      'code_requested',
      'incomplete_code',
      'wrong_code',
      'wrong_code',
      'expired_code',
      'new_code_requested',
      'back_to_card',
      'code_requested',
      'confirmed',
    ])
    expect(new Set(steps.map(([change]) => change))).toEqual(new Set(['updated']))
  })

  it('a decline on the page of the bank is in the history', async () => {
    pages = await createPageFixture()
    const id = await pages.create({ method: 'cards' })
    await pages.open(id)
    await pages.post(id, 'pay', { ...CARD, number: '4000000000003220' })
    await pages.post(id, 'confirm', { answer: 'no' })
    expect(await entriesOf(id)).toContain('+0.0 s plain: 3-D Secure: declined')
  })
})
