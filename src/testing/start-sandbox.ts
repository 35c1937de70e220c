import { requireObject } from '../client/call-arguments.ts'
import type { PageQuery, ShopBody, ShopView } from '../client/control-types.ts'
import { checkOptions } from './check-options.ts'
import { connectToServer, newShop } from './connect-to-server.ts'
import type { SandboxConnection, ShopIdentity } from './connection.ts'
import { startInProcess } from './in-process.ts'
import type { NewShop, StartOptions } from './options.ts'
import { openShop, type ShopOptions, type TestShop } from './shop-handle.ts'

/** The shops of the sandbox. */
export interface TestShops {
  /** A new merchant with a shop, an API key, secrets and a receiver of its own: nothing another test does is seen there. */
  create(body?: NewShop): Promise<TestShop>
  /** Newest first. */
  list(query?: PageQuery): Promise<readonly ShopView[]>
  get(id: string): Promise<ShopView>
  update(id: string, body: ShopBody): Promise<ShopView>
}

/** What `startSandbox` gives: its first shop, and the sandbox around it. */
export interface TestSandbox extends TestShop {
  readonly shops: TestShops
  /** Resolves when no simulator step, settlement or webhook attempt waits; expiries, and a frozen clock's future, do not count. */
  idle(): Promise<void>
  /**
   * Clears payments, refunds, payouts, events, deliveries, rules, faults and receivers of all shops, and applies the seed,
   * `rules` and `faults` of the options again. Shops, settings and the clock stay. Nothing in progress takes effect later.
   */
  reset(): Promise<void>
  /** Ends everything that `startSandbox` began. Twice is fine. A server that ran already goes on. */
  close(): Promise<void>
  /** `close`, at the end of a block: `await using psp = await startSandbox()`. */
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * A payment service provider for a test suite: in this process, or, with `url`, a server that runs already.
 * @throws PortUnavailable, ExposedCredentials, WeakControlToken, SettingError, Refusal (of a seed), TypeError; Unreachable, UnexpectedReply, ApiError with `url`
 * @example
 * const psp = await startSandbox({ clock: 'frozen' })
 * t.after(() => psp.close()) // or: await using psp = …
 * const { payment } = await psp.payments.create({ amount: 100, method: 'sbp', order_id: 'A-1' })
 * await psp.clock.advance('2s')
 * await psp.waitFor('payment.succeeded', { order_id: 'A-1' })
 */
export async function startSandbox(options: StartOptions = {}): Promise<TestSandbox> {
  checkOptions(options)
  const { link, start } = options.url === undefined ? await startInProcess(options) : await connectToServer(options)
  try {
    return await sandboxHandle(link, start, options)
  } catch (error) {
    await link.close()
    throw error
  }
}

async function sandboxHandle(
  link: SandboxConnection,
  start: ShopIdentity,
  options: StartOptions,
): Promise<TestSandbox> {
  const shop = await openShop(link, start, wishesOf(options))
  const { control } = shop.client
  const receivers = [shop.receiver]
  return {
    ...shop,
    shops: {
      async create(body = {}) {
        const { endpoints, receiver, timeout = options.timeout, ...fields } = requireObject('shops.create', body)
        const made = await openShop(link, await newShop(shop.client, fields), { endpoints, receiver, timeout })
        receivers.push(made.receiver)
        return made
      },
      list: async (query) => (await control.shops.list(query)).items,
      get: control.shops.get,
      update: control.shops.update,
    },
    async idle() {
      await control.clock.idle(link.closing)
    },
    async reset() {
      await link.reset(() => control.store.reset())
      for (const receiver of receivers) receiver.clear()
    },
    close: link.close,
    [Symbol.asyncDispose]: link.close,
  }
}

function wishesOf({ endpoints, receiver, timeout }: StartOptions): ShopOptions {
  return { endpoints, receiver, timeout }
}
