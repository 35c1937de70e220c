import { afterEach, describe, expect, it } from 'vitest'
import { type Rig, rig } from './fixtures.ts'

let pages: Rig
afterEach(() => pages.sandbox.close())

const panelOf = async (id: string) => {
  const page = await pages.open(id)
  const told = (name: string) => new RegExp(`data-${name}>(.*?)</dd>`).exec(page)?.[1]?.replaceAll(/<\/?code>/g, '')
  return [told('plan'), told('why')]
}

describe('the panel tells', () => {
  it.each([
    [{}, 'the bank approves', 'the setting default_outcome: nothing else asked for an outcome'],
    [{ amount: 10_051 }, 'the bank declines with insufficient_funds', 'the magic amount (a round hundred and 51)'],
    [{ amount: 10_068 }, 'the bank never answers, so the payment expires', 'the magic amount (a round hundred and 68)'],
    [{ amount: 10_001 }, 'waits for the buyer, then the bank approves', 'the magic amount (a round hundred and 01)'],
    [
      { metadata: { simulate: 'failed:card_lost@30s' } },
      'the bank declines with card_lost, after 30\u00a0s',
      'metadata.simulate',
    ],
  ])('of %j', async (body, plan, why) => {
    pages = await rig()
    expect(await panelOf(await pages.create(body))).toEqual([plan, why])
  })

  it('that a choice made on it decided', async () => {
    pages = await rig()
    const id = await pages.create({ method: 'sbp' })
    await pages.post(id, 'act', { act: 'decline', code: 'fraud_suspected', delay: '30000' })
    expect(await panelOf(id)).toEqual(['the bank declines with fraud_suspected, after 30\u00a0s', 'a choice made here'])
  })

  it('of a metadata.simulate that is no plan, and of the one that was meant', async () => {
    pages = await rig()
    const ignored = async (simulate: string, query = '') => {
      const page = await pages.open(await pages.create({ metadata: { simulate } }), query)
      return /data-ignored>([^<]*)</.exec(page)?.[1]?.replaceAll('&quot;', '"').trim()
    }
    expect(await ignored('failed:card_lots')).toBe(
      'metadata.simulate is "failed:card_lots", which is no plan: it was ignored. Did you mean failed:card_lost?',
    )
    expect(await ignored('?', '?lang=ru')).toBe('В metadata.simulate стоит "?": это не план, значение не учтено.')
    expect(await ignored('failed')).toBeUndefined()
  })

  it('delays with the units of the language', async () => {
    pages = await rig()
    const options = async (query: string) => {
      const page = await pages.open(await pages.create({ method: 'sbp' }), query)
      return [...page.matchAll(/<option value="\d+">([^<]*)</g)].map(([, text]) => text)
    }
    expect((await options('')).at(-1)).toBe('the bank answers after 2\u00a0min')
    expect(await options('?lang=ru')).toEqual(
      ['3\u00a0с', '10\u00a0с', '30\u00a0с', '2\u00a0мин'].map((delay) => `банк ответит через ${delay}`),
    )
  })

  it('codes with which the bank of a payer declines, and takes no others', async () => {
    pages = await rig()
    const id = await pages.create({ method: 'sbp' })
    const codes = [...(await pages.open(id)).matchAll(/<option>([^<]*)</g)].map(([, code]) => code)
    expect(codes).toContain('insufficient_funds')
    expect(codes.filter((code) => code?.startsWith('recipient_') || code === 'balance_insufficient')).toEqual([])
    expect((await pages.post(id, 'act', { act: 'decline', code: 'recipient_not_found' })).status).toBe(400)
  })

  it('commands whole: no line ends within one', async () => {
    pages = await rig()
    const page = await pages.open(await pages.create())
    expect(page).toContain('<code>psp clock advance</code>')
    expect(page).not.toContain('`')
  })

  it('that the clock stands still', async () => {
    pages = await rig()
    expect(await pages.open(await pages.create())).toContain('The clock is frozen')
  })
})

describe('the panel warns of', () => {
  const ahead = (page: string) => [...page.matchAll(/data-fault>([^<]*)</g)].map(([, text]) => text)

  it.each([
    [{ target: 'redirect', fault: 'drop' }, 'redirect drop'],
    [
      { target: 'redirect', fault: 'delay:5s', match: { status: 'failed' }, times: 2 },
      'redirect delay:5s, if status=failed, times left: 2',
    ],
    [
      { target: 'webhook', fault: 'tamper', match: { event: 'payment.*' }, every: 3 },
      'webhook tamper, if event=payment.*, each match no. 3',
    ],
    [{ target: 'webhook', fault: 'drop', probability: 0.25 }, 'webhook drop, in 25\u00a0% of cases'],
  ] as const)('%j', async (fault, text) => {
    pages = await rig()
    const id = await pages.create()
    pages.sandbox.engine.execute('add_fault', fault)
    expect(ahead(await pages.open(id))).toEqual([text])
    await pages.post(id, 'act', { act: 'approve' })
    expect(ahead(await pages.open(id))).toEqual([])
  })

  it('no fault of other payments, shops and targets', async () => {
    pages = await rig()
    const [id, other] = [await pages.create(), await pages.create()]
    const { engine } = pages.sandbox
    engine.execute('add_fault', { target: 'redirect', fault: 'drop', match: { payment_id: other } })
    engine.execute('add_fault', { target: 'redirect', fault: 'drop', match: { shop_id: other } })
    engine.execute('add_fault', { target: 'webhook', fault: 'drop', match: { object_id: other } })
    engine.execute('add_fault', { target: 'api', fault: 'status:503' })
    expect(ahead(await pages.open(id))).toEqual([])
    expect(ahead(await pages.open(other))).toHaveLength(2)
  })
})

describe('the panel steers', () => {
  it.each([
    [{ act: 'approve' }, { status: 'succeeded' }],
    [
      { act: 'decline', code: 'card_stolen' },
      { status: 'failed', metadata: { failure_code: 'card_stolen' } },
    ],
    [{ act: 'expire' }, { status: 'expired', metadata: { failure_code: 'link_expired' } }],
  ])('at once: %j', async (fields, expected) => {
    pages = await rig()
    const id = await pages.create()
    const answer = await pages.post(id, 'act', fields)
    // Who steers finds the panel open again.
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
    ['order', { order: 'toString' }],
    ['method', { method: 'barter' }],
    ['pay', { method: 'barter' }],
    ['confirm', { answer: 'perhaps' }],
  ])('%s with what the page does not offer, %j, changes nothing', async (part, fields) => {
    pages = await rig()
    const id = await pages.create()
    const before = JSON.stringify(await pages.payment(id))
    const answer = await pages.post(id, part, fields)
    expect(answer.status).toBe(400)
    const text = await answer.text()
    expect(text).toContain('The page offers no such choice')
    expect(text).not.toContain('<script>')
    expect(JSON.stringify(await pages.payment(id))).toBe(before)
    expect(pages.sandbox.engine.world.size('faults')).toBe(0)
  })

  it('after a delay', async () => {
    pages = await rig()
    const id = await pages.create()
    await pages.post(id, 'act', { act: 'approve', delay: '10000' })
    await pages.sandbox.timeline.advance({ by: 9999 })
    expect(await pages.status(id)).toMatchObject({ status: 'processing' })
    await pages.sandbox.timeline.advance({ by: 1 })
    expect(await pages.status(id)).toMatchObject({ status: 'succeeded' })
  })

  it('a payment in progress too, and a final one no more', async () => {
    pages = await rig()
    const id = await pages.create({ method: 'sbp', amount: 10_068 })
    const token = await pages.token(id)
    await pages.post(id, 'pay')
    await pages.post(id, 'act', { act: 'approve' })
    expect(await pages.status(id)).toMatchObject({ status: 'succeeded' })
    expect((await pages.post(id, 'act', { token, act: 'decline' })).status).toBe(303)
    expect(await pages.status(id)).toMatchObject({ status: 'succeeded' })
  })

  it('the order of webhook and return, the last choice counting', async () => {
    pages = await rig()
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
  ] as const)('the order of the end alone, for all who are told of it: %s', async (act, end, told) => {
    const sent: string[] = []
    pages = await rig({
      transport: async ({ url, body }) => {
        sent.push(`${new URL(url).hostname} ${JSON.parse(Buffer.from(body).toString()).event}`)
        return { status: sent.length === 1 ? 500 : 200 }
      },
    })
    const { engine, timeline } = pages.sandbox
    const { shop_id } = pages.sandbox.startShop()
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
    expect(sent.toSorted()).toEqual(told.map((name) => `${name} ${end}`))
    // The retry comes at its own time.
    await timeline.advance({ by: 9_999 })
    expect(sent).toHaveLength(told.length)
    await timeline.advance({ by: 1 })
    expect(sent).toHaveLength(told.length + 1)
    if (act !== 'approve') return
    const headers = { authorization: `Bearer ${pages.sandbox.startShop().api_key}` }
    expect((await pages.ask(`/v1/public/payments/${id}/refund`, { method: 'POST', headers })).status).toBe(201)
    await timeline.advance({ by: 0 })
    expect(sent.slice(3).toSorted()).toEqual(['a payment.refunded', 'b payment.refunded'])
  })
})
