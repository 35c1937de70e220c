// The engine itself: when it publishes, what its state of writing is, and the start shop.
import { describe, expect, test } from 'vitest'
import { DEFAULT_SHOP } from '../../src/domain/default-shop.ts'
import { deferred } from '../../src/domain/promises.ts'
import {
  addEndpoints,
  defaultShopInput,
  readDefaultShop,
  sandboxUsesDevelopmentCredentials,
} from '../../src/engine/default-shop.ts'
import { createEngine, requireSameState } from '../../src/engine/engine.ts'
import { TABLE_NAMES } from '../../src/engine/tables.ts'
import { seededRandomness } from '../../src/random.ts'
import { memoryLog, START, startWorld } from './bench-world.ts'

/** An engine whose commits wait for a write that the test ends. */
function waitingEngine() {
  const log = memoryLog()
  let write = deferred()
  const append = log.append
  const waiting = Object.assign(log, {
    append(...args: Parameters<typeof append>) {
      append(...args)
      return write.promise
    },
  })
  const engine = createEngine(waiting, seededRandomness(1), () => START)
  const committed: string[] = []
  const written: string[] = []
  engine.onCommit((_, command) => void committed.push(command))
  engine.onWritten((_, command) => void written.push(command))
  return {
    engine,
    committed,
    written,
    /** Ends the write of all commits so far, and begins another. */
    end(error?: Error) {
      const ended = write
      write = deferred()
      if (error === undefined) ended.resolve()
      else ended.reject(error)
      return ended.promise.catch(() => {})
    },
  }
}

test('a commit is published inside the process at once, and outside when it is written', async () => {
  const { engine, committed, written, end } = waitingEngine()
  expect(engine.written()).toBeUndefined()
  engine.execute('create_shop', {})
  engine.execute('add_rule', { plan: 'failed' })
  const promise = engine.written()
  expect([committed, written]).toEqual([['create_shop', 'add_rule'], []])
  expect(promise).toBeInstanceOf(Promise)
  await end()
  await promise
  expect([written, engine.written(), engine.lastWriteError]).toEqual([
    ['create_shop', 'add_rule'],
    undefined,
    undefined,
  ])
})

test('a commit that is not written is not published outside, and its error is kept', async () => {
  const { engine, committed, written, end } = waitingEngine()
  engine.execute('create_shop', {})
  const promise = engine.written()
  const error = new Error('disk full')
  await end(error)
  await expect(promise).rejects.toBe(error)
  expect([engine.lastWriteError, engine.written()]).toEqual([{ error }, undefined])
  engine.execute('add_rule', { plan: 'failed' })
  const next = engine.written()
  await end()
  await next
  expect([committed, written]).toEqual([['create_shop', 'add_rule'], ['add_rule']])
})

test('a reset replaces the state, and work that began before the reset is rejected', () => {
  const { engine, run } = startWorld()
  const { generation } = engine
  run('add_rule', { plan: 'failed' })
  expect(() => requireSameState(engine, generation)).not.toThrow()
  run('reset', {})
  expect(engine.generation).toBe(generation + 1)
  expect(() => requireSameState(engine, generation)).toThrow(expect.objectContaining({ code: 'sandbox_reset' }))
})

test('a reset keeps the shops and settings, and a reset of all starts again at the given time', () => {
  const world = startWorld()
  const { run, engine, shop } = world
  run('change_settings', { values: { buyer: 'manual' } })
  run('add_rule', { plan: 'failed' })
  world.create()
  run('reset', {})
  expect([engine.world.size('payments'), engine.world.size('rules')]).toEqual([0, 0])
  expect([engine.world.get('shops', shop.id), engine.world.settings.buyer]).toEqual([shop, 'manual'])
  const clock = { id: 'clock', mode: 'frozen', speed: 1, virtual: 5, wall: 0 } as const
  run('reset', { all: { shop: { name: 'New' }, clock: clock as never } })
  const shops = [...engine.world.rows('shops')].map(({ name, created_at }) => [name, created_at])
  expect([shops, engine.world.get('state', 'clock'), engine.world.settings.buyer]).toEqual([
    [['New', 5]],
    clock,
    'auto',
  ])
})

test('a dry run decides like the engine, sees its own changes and stores nothing', () => {
  const world = startWorld()
  const before = world.log.lastLine
  const dry = world.engine.dryRun(seededRandomness(9))
  const { shop } = dry.execute('create_shop', { name: 'Dry' })
  expect(dry.execute('update_shop', { shop_id: shop.id, change: { name: 'Other' } }).name).toBe('Other')
  expect([dry.world.size('shops'), world.engine.world.size('shops'), world.log.lastLine]).toEqual([2, 1, before])
  expect(dry.dryRun(seededRandomness(9))).toBe(dry)
  dry.execute('reset', {})
  expect(dry.world.size('shops')).toBe(2)
  world.run('add_rule', { plan: 'error:aml_blocked' })
  const input = { amount: 100, currency: 'RUB', method: 'sbp', metadata: {} } as const
  expect(() => dry.execute('create_payment', { caller: world.caller, input })).toThrow(
    expect.objectContaining({ code: 'aml_blocked' }),
  )
})

describe('the start shop', () => {
  const { merchant_id, shop_id, name, ...credentials } = DEFAULT_SHOP

  test('has the public credentials, or the given ones, and one endpoint for each URL', () => {
    expect(defaultShopInput()).toEqual({ name, ...credentials, ids: { merchant_id, shop_id }, endpoints: [] })
    expect(defaultShopInput({ signing_secret: 'thm_own' }, ['http://a/', 'http://b/', 'http://a/'])).toEqual({
      name,
      ...credentials,
      signing_secret: 'thm_own',
      ids: { merchant_id, shop_id },
      endpoints: ['http://a/', 'http://b/'].map((url) => ({ url, own_secret: false })),
    })
  })

  test('is the oldest shop, with the text of its key while the key is valid', () => {
    const engine = createEngine(memoryLog(), seededRandomness(1), () => START)
    const input = defaultShopInput()
    expect(() => readDefaultShop(engine, input)).toThrow('The store contains no shop.')
    engine.execute('create_shop', input)
    engine.execute('create_shop', {})
    const known = { merchant_id, shop_id, ...credentials, well_known: true }
    expect(readDefaultShop(engine, input)).toEqual(known)
    const { api_key, ...unknown } = known
    for (const text of [undefined, 'sk_test_abc123_other']) {
      const { api_key: _, ...rest } = input
      expect(readDefaultShop(engine, text === undefined ? rest : { ...rest, api_key: text })).toEqual(unknown)
    }
    const [key] = engine.world.find('keys', 'by_shop', shop_id)
    engine.execute('revoke_key', { key_id: key?.id ?? '' })
    expect(readDefaultShop(engine, input)).toEqual(unknown)
  })

  test('gets each endpoint once, and other shops get none', () => {
    const { engine, shop, run } = startWorld()
    const other = run('create_shop', {}).shop
    addEndpoints(engine, ['http://a/', 'http://b/'])
    addEndpoints(engine, ['http://b/', 'http://c/'])
    const endpoints = engine.world.find('endpoints', 'by_shop', shop.id)
    expect(endpoints.map(({ url, secret }) => [url, secret])).toEqual(
      ['http://a/', 'http://b/', 'http://c/'].map((url) => [url, undefined]),
    )
    expect(engine.world.find('endpoints', 'by_shop', other.id)).toEqual([])
  })

  test('is public if a stored secret, a secret to come or one of the seed is public', () => {
    const own = { api_key: 'sk_test_abc123_x', signing_secret: 'thm_x', webhook_secret: 'whs_x' }
    const empty = createEngine(memoryLog(), seededRandomness(1), () => START)
    expect(sandboxUsesDevelopmentCredentials(empty, own)).toBe(false)
    for (const field of ['api_key', 'signing_secret', 'webhook_secret'] as const) {
      const one = { [field]: credentials[field] }
      expect(sandboxUsesDevelopmentCredentials(empty, { ...own, ...one })).toBe(true)
      expect(sandboxUsesDevelopmentCredentials(empty, own, [own, one])).toBe(true)
    }
    const { engine, run } = startWorld()
    expect(sandboxUsesDevelopmentCredentials(engine, defaultShopInput())).toBe(false)
    run('create_shop', { signing_secret: credentials.signing_secret })
    expect(sandboxUsesDevelopmentCredentials(engine, own)).toBe(true)
  })
})

describe('an action of the developer', () => {
  const refused = (code: string, message: string) => expect.objectContaining({ code, message })

  test('is refused if the payment is final, or does not fit', () => {
    const world = startWorld()
    const act = (payment_id: string, action: object) => () =>
      world.run('act_on_payment', { payment_id, act: action as never })
    const { id } = world.create().object
    expect(act(id, { action: 'pay', method: 'cards' })).toThrow(
      refused('not_allowed', 'The method of this payment is sbp; it cannot be paid by cards. Leave method out.'),
    )
    expect(act(id, { action: 'choose_method', method: 'cards' })).toThrow(
      refused(
        'not_allowed',
        'The method can be chosen only while it is "any" and the payment is pending; it is sbp and pending.',
      ),
    )
    expect(act(id, { action: 'decline', failure_code: 'x' })).toThrow(
      refused(
        'bad_request',
        expect.stringMatching(
          /^failure_code: "x" is unknown\. The codes are do_not_honor.*recipient_not_found \(payouts only\)/,
        ) as never,
      ),
    )
    act(id, { action: 'pay', method: 'sbp' })()
    expect(act(id, { action: 'expire' })).toThrow(
      refused(
        'not_allowed',
        'The payment is already succeeded, which is final. The action expire is no longer possible.',
      ),
    )
    expect(act('none', { action: 'pay' })).toThrow(refused('not_found', 'There is no payment none.'))
  })

  test('opens a session that no buyer pays, pays, declines or expires a payment', () => {
    const world = startWorld()
    const act = (input: object, action: object) => {
      const { id } = world.create(input).object
      const { status, method, session_by_act, metadata } = world.run('act_on_payment', {
        payment_id: id,
        act: action as never,
      })
      return [status, method, session_by_act, metadata['failure_code']]
    }
    expect(act({}, { action: 'open_session' })).toEqual(['processing', 'sbp', true, undefined])
    expect(act({ method: 'any' }, { action: 'pay', method: 'cards' })).toEqual([
      'succeeded',
      'cards',
      undefined,
      undefined,
    ])
    expect(act({}, { action: 'decline' })).toEqual(['failed', 'sbp', undefined, 'do_not_honor'])
    expect(act({}, { action: 'decline', failure_code: 'card_lost' })).toEqual(['failed', 'sbp', undefined, 'card_lost'])
    expect(act({}, { action: 'expire' })).toEqual(['expired', 'sbp', undefined, 'link_expired'])
    expect(act({ method: 'any' }, { action: 'choose_method', method: 'cards' })).toEqual([
      'pending',
      'cards',
      undefined,
      undefined,
    ])
  })
})

test('a method that is chosen on an open page, with a manual buyer or for requires_action has no step', () => {
  const world = startWorld()
  const choose = (input: object, plan?: object, open = false) => {
    const { id } = world.create({ method: 'any', ...input }, plan === undefined ? {} : { plan: plan as never }).object
    if (open) world.run('open_page', { payment_id: id })
    const act = { action: 'choose_method', method: 'cards' } as const
    const { method, step, step_at } = world.run('act_on_payment', { payment_id: id, act })
    return [method, step, step_at]
  }
  const wait = world.engine.world.settings['delays.session']
  expect(choose({})).toEqual(['cards', 'open_session', START + wait])
  expect(choose({}, undefined, true)).toEqual(['cards', undefined, undefined])
  expect(choose({}, { outcome: 'requires_action' })).toEqual(['cards', undefined, undefined])
  world.run('change_settings', { values: { buyer: 'manual' } })
  expect(choose({})).toEqual(['cards', undefined, undefined])
})

test('an import replaces every table by the prepared ones, with the settings and the clock', () => {
  const world = startWorld()
  const clock = { id: 'clock', mode: 'frozen', speed: 1, virtual: 5, wall: 0 } as const
  const commitOf = (...state: object[]) => {
    const prepared = { state, timed: () => [] } as never
    world.run('import_state', { prepared, clock })
    return [world.log.commits.at(-1), prepared]
  }
  const settings = { id: 'settings', values: { buyer: 'manual', magic: false } }
  const [commit, prepared] = commitOf({ id: 'clock' }, settings)
  const puts = [settings, clock].map((row) => ({ table: 'state', row }))
  const rest = { clear: TABLE_NAMES, deletes: [], stream: [], result: null }
  expect(commit).toEqual({ ...rest, prepared, puts, overrides: ['buyer', 'magic'] })
  const [bare, none] = commitOf()
  expect(bare).toEqual({ ...rest, prepared: none, puts: puts.slice(1), overrides: [] })
})

test('a settlement sets the final status once, with a failure code only for a failure', () => {
  const world = startWorld()
  const { id } = world.create().object
  world.run('act_on_payment', { payment_id: id, act: { action: 'pay' } })
  const plan = { outcome: 'pending' } as const
  const refund = (amount: number) =>
    world.run('refund_payment', { caller: world.caller, payment_id: id, amount, plan }).object
  const settle = (refund_id: string, more: object) =>
    world.run('settle_refund', { refund_id, status: 'succeeded', ...more } as never)
  const [first, second] = [refund(40), refund(60)]
  const belongs = 'failure_code: allowed only with status failed; leave it out.'
  expect(() => settle(first.id, { failure_code: 'card_lost' })).toThrow(
    expect.objectContaining({ code: 'bad_request', message: belongs }),
  )
  expect(settle(first.id, {}).status).toBe('succeeded')
  expect(world.payment(id)).toMatchObject({ status: 'succeeded', amount_refunded: 40 })
  expect(() => settle(first.id, {})).toThrow(
    expect.objectContaining({ code: 'not_allowed', message: 'The refund is already succeeded.' }),
  )
  expect(settle(second.id, { status: 'failed', failure_code: 'card_lost' }).status).toBe('failed')
  expect(world.payment(id)).toMatchObject({ status: 'succeeded', amount_refunded: 40 })
  expect(settle(refund(60).id, {}).status).toBe('succeeded')
  expect(world.payment(id)).toMatchObject({ status: 'refunded', amount_refunded: 100 })
})
