import { afterEach, describe, expect, it } from 'vitest'
import { CARD, createPageFixture, type PageFixture } from './fixtures.ts'

let pages: PageFixture
afterEach(() => pages.sandbox.close())

const panelOf = async (id: string) => {
  const page = await pages.open(id)
  const factOf = (name: string) => new RegExp(`data-${name}>(.*?)</dd>`).exec(page)?.[1]?.replaceAll(/<\/?code>/g, '')
  return [factOf('plan'), factOf('why')]
}

describe('the panel shows', () => {
  it.each([
    [{}, 'the bank approves', 'the setting default_outcome, because nothing else set the outcome'],
    [{ amount: 10_051 }, 'the bank declines with insufficient_funds', 'the magic amount (it ends in 00.51)'],
    [{ amount: 10_068 }, 'the bank does not respond, so the payment expires', 'the magic amount (it ends in 00.68)'],
    [{ amount: 10_001 }, 'waits for the buyer, then the bank approves', 'the magic amount (it ends in 00.01)'],
    [
      { metadata: { simulate: 'failed:card_lost@30s' } },
      'the bank declines with card_lost, after 30\u00a0s',
      'metadata.simulate',
    ],
  ])('the panel shows the plan of %j and its reason', async (body, plan, why) => {
    pages = await createPageFixture()
    expect(await panelOf(await pages.create(body))).toEqual([plan, why])
  })

  it('the panel shows that an action on it set the outcome', async () => {
    pages = await createPageFixture()
    const id = await pages.create({ method: 'sbp' })
    await pages.post(id, 'act', { act: 'decline', code: 'fraud_suspected', delay: '30000' })
    expect(await panelOf(id)).toEqual([
      'the bank declines with fraud_suspected, after 30\u00a0s',
      'an action on this page',
    ])
  })

  it('the panel shows that a test card decides if the buyer enters the right code', async () => {
    pages = await createPageFixture()
    const id = await pages.create({ method: 'cards' })
    await pages.post(id, 'pay', { ...CARD, number: '4000000000003220' })
    expect(await panelOf(id)).toEqual(['the bank approves', 'the test card, if the code is right'])
  })

  it('the panel shows the plan that decides before a test card while the bank waits for a code', async () => {
    pages = await createPageFixture()
    const id = await pages.create({ method: 'cards', metadata: { simulate: 'failed:card_lost' } })
    await pages.post(id, 'pay', { ...CARD, number: '4000000000003220' })
    expect(await panelOf(id)).toEqual(['the bank declines with card_lost', 'metadata.simulate'])
  })

  it('the panel shows an invalid metadata.simulate and suggests a plan', async () => {
    pages = await createPageFixture()
    const ignored = async (simulate: string, query = '') => {
      const page = await pages.open(await pages.create({ metadata: { simulate } }), query)
      return /data-ignored>([^<]*)</.exec(page)?.[1]?.replaceAll('&quot;', '"').trim()
    }
    expect(await ignored('failed:card_lots')).toBe(
      'metadata.simulate is "failed:card_lots". This is not a valid plan, so it was ignored. Did you mean failed:card_lost?',
    )
    expect(await ignored('?', '?lang=ru')).toBe('metadata.simulate: "?". Такого плана нет, значение не учтено.')
    expect(await ignored('failed')).toBeUndefined()
  })

  it('the panel shows delays with the units of the language', async () => {
    pages = await createPageFixture()
    const options = async (query: string) => {
      const page = await pages.open(await pages.create({ method: 'sbp' }), query)
      return [...page.matchAll(/<option value="\d+">([^<]*)</g)].map(([, text]) => text)
    }
    expect((await options('')).at(-1)).toBe('the bank responds after 2\u00a0min')
    expect(await options('?lang=ru')).toEqual(
      ['3\u00a0с', '10\u00a0с', '30\u00a0с', '2\u00a0мин'].map((delay) => `банк ответит через ${delay}`),
    )
  })

  it('the panel offers and accepts only decline codes of payments', async () => {
    pages = await createPageFixture()
    const id = await pages.create({ method: 'sbp' })
    const codes = [...(await pages.open(id)).matchAll(/<option>([^<]*)</g)].map(([, code]) => code)
    expect(codes).toContain('insufficient_funds')
    expect(codes.filter((code) => code?.startsWith('recipient_') || code === 'balance_insufficient')).toEqual([])
    expect((await pages.post(id, 'act', { act: 'decline', code: 'recipient_not_found' })).status).toBe(400)
  })

  it('the panel shows each command without a line break', async () => {
    pages = await createPageFixture()
    const page = await pages.open(await pages.create())
    expect(page).toContain('<code>psp clock advance</code>')
    expect(page).not.toContain('`')
  })

  it('the panel shows that the clock is frozen', async () => {
    pages = await createPageFixture()
    expect(await pages.open(await pages.create())).toContain('The clock is frozen')
  })
})

describe('the panel lists pending faults', () => {
  const listed = (page: string) => [...page.matchAll(/data-fault>([^<]*)</g)].map(([, text]) => text)

  it.each([
    [{ target: 'redirect', fault: 'drop' }, 'redirect drop'],
    [
      { target: 'redirect', fault: 'delay:5s', match: { status: 'failed' }, times: 2 },
      'redirect delay:5s, if status=failed, times left: 2',
    ],
    [
      { target: 'webhook', fault: 'tamper', match: { event: 'payment.*' }, every: 3 },
      'webhook tamper, if event=payment.*, once every 3 matches',
    ],
    [{ target: 'webhook', fault: 'drop', probability: 0.25 }, 'webhook drop, in 25\u00a0% of cases'],
  ] as const)('the panel lists the fault %j', async (fault, text) => {
    pages = await createPageFixture()
    const id = await pages.create()
    pages.sandbox.engine.execute('add_fault', fault)
    expect(listed(await pages.open(id))).toEqual([text])
    await pages.post(id, 'act', { act: 'approve' })
    expect(listed(await pages.open(id))).toEqual([])
  })

  it('the panel does not list faults of other payments, shops and targets', async () => {
    pages = await createPageFixture()
    const [id, other] = [await pages.create(), await pages.create()]
    const { engine } = pages.sandbox
    engine.execute('add_fault', { target: 'redirect', fault: 'drop', match: { payment_id: other } })
    engine.execute('add_fault', { target: 'redirect', fault: 'drop', match: { shop_id: other } })
    engine.execute('add_fault', { target: 'webhook', fault: 'drop', match: { object_id: other } })
    engine.execute('add_fault', { target: 'api', fault: 'status:503' })
    expect(listed(await pages.open(id))).toEqual([])
    expect(listed(await pages.open(other))).toHaveLength(2)
  })
})

describe('the panel controls', () => {
  it.each([
    [{ act: 'approve' }, { status: 'succeeded' }],
    [
      { act: 'decline', code: 'card_stolen' },
      { status: 'failed', metadata: { failure_code: 'card_stolen' } },
    ],
    [{ act: 'expire' }, { status: 'expired', metadata: { failure_code: 'link_expired' } }],
  ])('the form %j ends the payment at once', async (fields, expected) => {
    pages = await createPageFixture()
    const id = await pages.create()
    const answer = await pages.post(id, 'act', fields)
    // After an action, the panel is open again.
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `../${id}?panel=open`])
    expect(await pages.payment(id)).toMatchObject(expected)
    const { failure_code, bank_failure_code } = (await pages.payment(id)).metadata
    if (bank_failure_code !== undefined)
      expect(await pages.open(id)).toContain(`${failure_code}, ${bank_failure_code}<`)
  })

  it.each([
    ['act', { act: 'zz' }],
    ['act', { act: 'approve', delay: '1e99' }],
    ['act', { act: 'approve', delay: '-5' }],
    ['act', { act: 'decline', code: '<script>' }],
    ['act', { act: 'decline', code: '__proto__' }],
    ['act', { act: 'approve', order: 'toString' }],
    ['order', { order: 'toString' }],
    ['reject', { method: 'barter' }],
    ['pay', { method: 'barter' }],
    ['confirm', { answer: 'perhaps' }],
  ])('the part %s with %j, which the page does not offer, changes nothing', async (part, fields) => {
    pages = await createPageFixture()
    const id = await pages.create()
    const before = JSON.stringify(await pages.payment(id))
    const answer = await pages.post(id, part, fields)
    expect(answer.status).toBe(400)
    const text = await answer.text()
    expect(text).toContain('This choice is not available')
    expect(text).not.toContain('<script>')
    expect(JSON.stringify(await pages.payment(id))).toBe(before)
    expect(pages.sandbox.engine.world.size('faults')).toBe(0)
  })

  it('the bank approves after the delay that is set on the panel', async () => {
    pages = await createPageFixture()
    const id = await pages.create()
    await pages.post(id, 'act', { act: 'approve', delay: '10000' })
    await pages.sandbox.timeline.advance({ by: 9999 })
    expect(await pages.status(id)).toMatchObject({ status: 'processing' })
    await pages.sandbox.timeline.advance({ by: 1 })
    expect(await pages.status(id)).toMatchObject({ status: 'succeeded' })
  })

  it('the panel can end a payment in progress but not a final one', async () => {
    pages = await createPageFixture()
    const id = await pages.create({ method: 'sbp', amount: 10_068 })
    const token = await pages.token(id)
    await pages.post(id, 'pay')
    await pages.post(id, 'act', { act: 'approve' })
    expect(await pages.status(id)).toMatchObject({ status: 'succeeded' })
    expect((await pages.post(id, 'act', { token, act: 'decline' })).status).toBe(303)
    expect(await pages.status(id)).toMatchObject({ status: 'succeeded' })
  })

  it.each([{ act: 'approve' }, { act: 'decline' }, { act: 'expire' }, { quick: 'limit_exceeded' }])(
    'the form %j also sets the order of webhook and return that was chosen on the panel',
    async (fields) => {
      pages = await createPageFixture()
      const id = await pages.create({ method: 'sbp', return_url: 'https://shop.example/' })
      await pages.post(id, 'act', { ...fields, shown_order: 'normal', order: 'never' })
      const response = await pages.ask(`/pay/${id}/return`, { redirect: 'manual' })
      expect(response.headers.get('location')).toBe(`../${id}?stay=dropped`)
    },
  )

  it.each([
    { act: 'approve', method: 'zzz' },
    { act: 'approve', delay: '7' },
    { act: 'decline', code: 'zzz' },
    { quick: 'zzz' },
  ])('the refused form %j leaves the order of webhook and return as it was', async (fields) => {
    pages = await createPageFixture()
    const id = await pages.create({ method: 'any', return_url: 'https://shop.example/' })
    expect((await pages.post(id, 'act', { ...fields, shown_order: 'normal', order: 'webhook' })).status).toBe(400)
    expect([...pages.sandbox.engine.world.rows('faults')]).toEqual([])
  })

  it('no response from the bank cannot be chosen twice, and the second form changes nothing', async () => {
    pages = await createPageFixture()
    const id = await pages.create({ method: 'sbp', return_url: 'https://shop.example/' })
    const token = await pages.token(id)
    await pages.post(id, 'act', { quick: 'no_response' })
    await pages.post(id, 'act', { token, quick: 'no_response', shown_order: 'normal', order: 'webhook' })
    expect([...pages.sandbox.engine.world.rows('faults')]).toEqual([])
  })

  it('an outcome keeps the order of webhook and return if the form did not change it', async () => {
    pages = await createPageFixture()
    const id = await pages.create({ method: 'sbp', return_url: 'https://shop.example/' })
    const token = await pages.token(id)
    // A form that was opened before the order was set elsewhere still shows the earlier order.
    await pages.post(id, 'order', { order: 'never' })
    await pages.post(id, 'act', { token, act: 'approve', shown_order: 'normal', order: 'normal' })
    const response = await pages.ask(`/pay/${id}/return`, { redirect: 'manual' })
    expect(response.headers.get('location')).toBe(`../${id}?stay=dropped`)
  })

  it('the last order of webhook and return that is set on the panel applies', async () => {
    pages = await createPageFixture()
    const id = await pages.create({ webhook_url: 'http://127.0.0.1:1/hook', return_url: 'https://shop.example/' })
    const { world } = pages.sandbox.engine
    const faults = () => [...world.rows('faults')].map(({ target, fault, match }) => [target, fault, match])
    const atItsEnd = ['succeeded', 'failed', 'expired', 'cancelled'].map((end) => [
      'webhook',
      'delay:10s',
      { object_id: id, event: `payment.${end}`, attempt: 1 },
    ])
    await pages.post(id, 'order', { order: 'webhook' })
    expect(faults()).toEqual([['redirect', 'delay:3s', { payment_id: id }]])
    await pages.post(id, 'order', { order: 'redirect' })
    expect(faults()).toEqual(atItsEnd)
    expect(await pages.open(id)).toMatch(/value="redirect"\s+checked/)
    expect([...(await pages.open(id)).matchAll(/data-fault>([^<]*)</g)].map(([, text]) => text)).toEqual([
      'webhook delay:10s',
    ])
    await pages.post(id, 'act', { act: 'approve' })
    await pages.sandbox.timeline.advance({ by: 9999 })
    const attempts = () => [...world.rows('deliveries')].map((delivery) => delivery.attempts.length)
    expect(attempts()).toEqual([0])
    await pages.sandbox.timeline.advance({ by: 1 })
    expect(attempts()).toEqual([1])
    expect(await pages.open(id)).not.toContain('webhook delay:10s')
    const other = await pages.create()
    await pages.post(other, 'order', { order: 'never' })
    await pages.post(other, 'order', { order: 'normal' })
    expect(faults()).toEqual(atItsEnd)
  })
  it.each([
    ['approve', 'payment.succeeded', ['a', 'b']],
    ['decline', 'payment.failed', ['a', 'c']],
    ['expire', 'payment.expired', ['a']],
  ] as const)('the order applies only to the final event, at each receiver: %s', async (act, end, receivers) => {
    const sent: string[] = []
    pages = await createPageFixture({
      transport: async ({ url, body }) => {
        sent.push(`${new URL(url).hostname} ${JSON.parse(Buffer.from(body).toString()).event}`)
        return { status: sent.length === 1 ? 500 : 200 }
      },
    })
    const { engine, timeline } = pages.sandbox
    const { shop_id } = pages.sandbox.defaultShop()
    for (const [name, events] of [
      ['a', []],
      ['b', ['payment.succeeded', 'payment.refunded']],
      ['c', ['payment.failed', 'payout.succeeded']],
      ['d', ['payout.succeeded']],
    ] as const)
      engine.execute('create_endpoint', { shop_id, input: { url: `http://${name}/`, events } })
    const id = await pages.create({ method: 'sbp' })
    await pages.post(id, 'order', { order: 'webhook' })
    const commits: string[] = []
    engine.onCommit(({ puts }, command) => puts.some(({ table }) => table === 'faults') && commits.push(command))
    await pages.post(id, 'order', { order: 'redirect' })
    expect(commits).toEqual(['replace_faults'])
    await pages.post(id, 'act', { act })
    await timeline.advance({ by: 9_999 })
    expect(sent).toEqual([])
    await timeline.advance({ by: 1 })
    expect(sent.toSorted()).toEqual(receivers.map((name) => `${name} ${end}`))
    // The retry is sent at its regular time.
    await timeline.advance({ by: 9_999 })
    expect(sent).toHaveLength(receivers.length)
    await timeline.advance({ by: 1 })
    expect(sent).toHaveLength(receivers.length + 1)
    if (act !== 'approve') return
    const headers = { authorization: `Bearer ${pages.sandbox.defaultShop().api_key}` }
    expect((await pages.ask(`/v1/public/payments/${id}/refund`, { method: 'POST', headers })).status).toBe(201)
    await timeline.advance({ by: 0 })
    expect(sent.slice(3).toSorted()).toEqual(['a payment.refunded', 'b payment.refunded'])
  })
})
