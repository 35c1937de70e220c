import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HandlerBugError, startSandbox, type TestSandbox } from '../../src/testing/index.ts'
import { verifyWebhook } from '../../src/webhooks/index.ts'
import { closeHandlers, createTestDir } from '../cli/helpers.ts'
import { CORRECT_HANDLERS } from '../explore/handlers/correct.ts'
import { createNamed, type Handler } from '../explore/handlers/handler.ts'
import { PLANTED_BUGS } from '../explore/handlers/planted-bugs.ts'
import { serveShop } from '../explore/handlers/serve-shop.ts'

const folder = createTestDir()
let psp: TestSandbox
beforeAll(async () => {
  psp = await startSandbox({ listen: false })
})
afterAll(async () => {
  await psp.close()
  closeHandlers()
  folder.remove()
})

/** A route handler that verifies signatures. */
const route = (handler: Handler) => async (request: Request) => {
  const body = Buffer.from(await request.arrayBuffer())
  const result = verifyWebhook(body, Object.fromEntries(request.headers), psp.webhookSecret)
  if (!result.valid) return new Response('invalid', { status: 400 })
  return new Response('', { status: await handler.handle(JSON.parse(body.toString('utf8'))) })
}
const probes = (handler: Handler) => ({ order: (id: string) => handler.order(id), balance: () => handler.balance() })
/** The search ends by its number of deliveries: a loaded machine does not reach the time limit. */
const QUICK = { seed: 1, settle: 1, deliveries: 200, time: 600_000 }

describe('`psp.explore`', () => {
  test('resolves with what it reached if a function is correct', async () => {
    const handler = createNamed(CORRECT_HANDLERS, 'merges')
    const report = await psp.explore(route(handler), { ...probes(handler), ...QUICK })
    expect(report).toMatchObject({ seed: 1, end: 'deliveries', notJudged: [] })
    expect(report.situations).toContain('refund before its payment')
  })

  test('rejects with the seed, the smallest case and the file that replays it', async () => {
    const handler = createNamed(PLANTED_BUGS, 'shows a part refund')
    const explored = psp.explore(route(handler), { ...probes(handler), ...QUICK, save: folder.path })
    const error = await explored.catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(HandlerBugError)
    const { message, seed, findings, files } = error as HandlerBugError
    expect(seed).toBe(1)
    expect(message).toContain('Repeat the search with { seed: 1 }.')
    expect(message).toMatch(
      /truth: order: \$\.status is refunded, but the order is partly refunded\.\n {2}1 payment\.succeeded/,
    )
    expect(message).toContain(`replay: psp audit URL --probe 'orders/{order_id}' --replay ${files[0]}`)
    expect(findings[0]).toMatchObject({ id: 'truth', deliveries: 2, steps: 3 })
    expect(JSON.parse(readFileSync(files[0] ?? '', 'utf8'))).toHaveProperty('finding.story.steps')
  })

  test('explores a URL, without files if `save` is false', async () => {
    const handler = createNamed(PLANTED_BUGS, '500 to a cancelled')
    const url = await serveShop(handler)
    const error = await psp.explore(`${url}/hooks`, { ...QUICK, save: false }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ findings: [{ id: 'availability' }], files: [] })
  })

  test('names the URL of the handler in the command that replays a finding', async () => {
    const handler = createNamed(PLANTED_BUGS, '500 to a cancelled')
    const url = await serveShop(handler)
    const error = await psp.explore(`${url}/hooks`, { ...QUICK, save: folder.path }).catch((thrown: unknown) => thrown)
    expect(String(error)).toMatch(/^HandlerBugError: The handler breaks a rule: 1 finding\. /)
    const { message, files } = error as HandlerBugError
    expect(message.split('\n').at(-1)).toBe(`  replay: psp audit ${url}/hooks --replay ${files[0]}`)
  })

  test('chooses another seed for each search if none is given', async () => {
    const search = () => {
      const handler = createNamed(CORRECT_HANDLERS, 'merges')
      return psp.explore(route(handler), { ...probes(handler), settle: 1, deliveries: 20 })
    }
    const [{ seed: first }, { seed: second }] = [await search(), await search()]
    for (const seed of [first, second]) expect(Number.isInteger(seed) && seed >= 0 && seed < 1_000_000).toBe(true)
    expect(second).not.toBe(first)
  })

  test('reads the balance, and names it if it does not settle', async () => {
    const handler = createNamed(CORRECT_HANDLERS, 'merges')
    let reads = 0
    const search = psp.explore(route(handler), { ...QUICK, balance: () => ++reads })
    await expect(search).rejects.toThrow('The probe balance does not settle: ')
  })

  test('reads a bigint like a number', async () => {
    const handler = createNamed(CORRECT_HANDLERS, 'merges')
    const bigints = (values: object) => Object.entries(values).map(([name, value]) => [name, BigInt(value)])
    const balance = () => Object.fromEntries(bigints(Object(handler.balance())))
    const options = { ...probes(handler), ...QUICK, balance }
    expect(await psp.explore(route(handler), options)).toMatchObject({ end: 'deliveries', notJudged: [] })
  })

  test('rejects if `createOrder` returns an order a second time', async () => {
    const handler = createNamed(CORRECT_HANDLERS, 'merges')
    const explored = psp.explore(route(handler), { ...probes(handler), ...QUICK, createOrder: () => 'A-1' })
    await expect(explored).rejects.toThrow(
      new Error('createOrder returned the order A-1 twice. Let it create a new order each time.'),
    )
  })

  test.each([
    [undefined, 'nothing'],
    [null, 'null'],
    ['', '""'],
    [17, '17'],
  ])('rejects if `createOrder` returns %j instead of an id', async (id, got) => {
    const explored = psp.explore(() => new Response(), { ...QUICK, createOrder: () => id as never, save: false })
    await expect(explored).rejects.toThrow(
      new TypeError(`createOrder: expected the id of an order as a string, got ${got}.`),
    )
  })

  test('creates the orders that a handler must know', async () => {
    const handler = createNamed(CORRECT_HANDLERS, 'only orders it knows')
    let orders = 0
    const createOrder = () => {
      handler.create?.(`A-${++orders}`)
      return `A-${orders}`
    }
    await psp.explore(route(handler), { ...probes(handler), ...QUICK, createOrder })
    expect(orders).toBeGreaterThan(8)
  })

  test('rejects with the error of `createOrder` if nothing was found', async () => {
    const handler = createNamed(CORRECT_HANDLERS, 'merges')
    let orders = 0
    const createOrder = () => {
      if (orders++ === 20) throw new RangeError('no stock')
      return `A-${orders}`
    }
    const explored = psp.explore(route(handler), { ...probes(handler), ...QUICK, createOrder })
    await expect(explored).rejects.toThrow(new RangeError('no stock'))
  })

  test('rejects with what was found if `createOrder` throws afterwards', async () => {
    const handler = createNamed(PLANTED_BUGS, 'shows a part refund')
    let orders = 0
    const createOrder = () => {
      if (orders++ === 20) throw new RangeError('no stock')
      return `A-${orders}`
    }
    const options = { ...probes(handler), ...QUICK, lanes: 1, createOrder, save: false } as const
    await expect(psp.explore(route(handler), options)).rejects.toThrow(HandlerBugError)
  })

  test('reports a function that throws as a refused event', async () => {
    const failing = psp.explore(() => Promise.reject(new Error('no table')), { ...QUICK, save: false })
    await expect(failing).rejects.toThrow('got: 500: Error: no table')
  })

  test.each([
    ['handler', 'Most of the time was spent on the handler. Raise time, or make the handler faster.'],
    ['order', 'Most of the time was spent on order, perhaps because effects are late. Raise time.'],
    ['createOrder', 'Most of the time was spent on createOrder. Raise time, or make createOrder faster.'],
  ])('rejects if no story was finished because of a slow %s', async (slow, hint) => {
    const slowIf = async <T>(name: string, value: T) => {
      if (name === slow) await new Promise((resolve) => setTimeout(resolve, 60))
      return value
    }
    let orders = 0
    const explored = psp.explore(async () => await slowIf('handler', new Response()), {
      order: async () => await slowIf('order', 'paid'),
      createOrder: async () => await slowIf('createOrder', `A-${++orders}`),
      seed: 1,
      settle: 1,
      time: 50,
      save: false,
    })
    const error = await explored.catch((thrown: unknown) => thrown)
    expect(String(error)).toContain('Error: No story was finished in 50ms. ')
    expect(String(error)).toContain(hint)
  })

  test('rejects in time if no effect was visible, and names only the callback that was given', async () => {
    const began = performance.now()
    const explored = psp.explore(() => new Response(), { order: () => undefined, time: 300, save: false })
    const error = await explored.catch((thrown: unknown) => thrown)
    expect(String(error)).toBe(
      'Error: No story was finished in 300ms. order did not change after the first payment. If effects are late, raise time. Otherwise check that the handler stores what it receives.',
    )
    expect(performance.now() - began).toBeLessThan(2500)
  })

  test('rejects if the limit of deliveries was reached before a story was finished', async () => {
    const search = (deliveries: number) => psp.explore(() => new Response(), { ...QUICK, deliveries, lanes: 1 })
    const error = await search(1).catch((thrown: unknown) => thrown)
    expect(String(error)).toMatch(
      /^Error: No story was finished\. The simple stories at the start took \d+ deliveries, /,
    )
    const needed = Number(/Raise deliveries above (\d+)\.$/.exec(String(error))?.[1])
    await expect(search(needed)).rejects.toThrow(`Raise deliveries above ${needed}.`)
    expect(await search(needed + 1)).toMatchObject({ stories: 1, end: 'deliveries' })
  })

  test.each(['order', 'balance', 'createOrder'])('limits the time of %s, and names it', async (option) => {
    const handler = createNamed(CORRECT_HANDLERS, 'merges')
    const options = { ...probes(handler), ...QUICK, timeout: 200, [option]: () => new Promise<never>(() => {}) }
    await expect(psp.explore(route(handler), options)).rejects.toThrow(
      `${option}: no value within 200ms. Make the function faster, or raise timeout.`,
    )
  })

  test('rejects with what was found if `createOrder` never ends afterwards', async () => {
    const handler = createNamed(PLANTED_BUGS, 'shows a part refund')
    let orders = 0
    const createOrder = async () => (orders++ < 20 ? `A-${orders}` : await new Promise<never>(() => {}))
    const options = { ...probes(handler), ...QUICK, lanes: 1, timeout: 200, createOrder, save: false } as const
    await expect(psp.explore(route(handler), options)).rejects.toThrow(HandlerBugError)
  })

  test.each([
    [null, 'null'],
    [undefined, 'undefined'],
    [{ fetch: () => new Response() }, 'object'],
  ])('rejects the handler %j', async (handler, got) => {
    await expect(psp.explore(handler as never)).rejects.toThrow(
      new TypeError(`explore: expected a URL as a string, or a function from Request to Response, got ${got}.`),
    )
  })

  test.each([
    [{ order: 'paid' }, 'order: expected a function, got "paid".'],
    [{ balance: 5 }, 'balance: expected a function, got 5.'],
    [{ order: Symbol('paid') }, 'order: expected a function, got Symbol(paid).'],
    [{ createOrder: Promise.resolve(1) }, 'createOrder: expected a function, got an object of the class Promise.'],
    [{ createOrder: null }, 'createOrder: expected a function, got null.'],
    [{ probe: 'x' }, 'probe: explore has no such option.'],
    [{ lanes: 0 }, 'lanes: expected an integer from 1 to 64'],
  ])('rejects the options %j', async (options, message) => {
    await expect(psp.explore('localhost:1', options as never)).rejects.toThrow(message)
  })
})
