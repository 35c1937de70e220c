import { requireObject } from '../client/call-arguments.ts'
import type { PageQuery, ShopBody, ShopView } from '../client/control-types.ts'
import { checkOptions } from './check-options.ts'
import { connectToServer, newShop } from './connect-to-server.ts'
import type { SandboxConnection, ShopIdentity } from './connection.ts'
import type { ExploredHandler, ExploreHandlerOptions, HandlerReport } from './explore-options.ts'
import { startInProcess } from './in-process.ts'
import type { NewShop, StartOptions } from './options.ts'
import { openShop, type TestShop } from './shop-handle.ts'

/** The shops of the sandbox. */
export interface TestShops {
  /** Creates a merchant with a shop, an API key, secrets and a receiver. It does not see objects of other tests. */
  create(body?: NewShop): Promise<TestShop>
  /** Returns the newest first, at most `limit`. Default: 100. */
  list(query?: PageQuery): Promise<readonly ShopView[]>
  get(id: string): Promise<ShopView>
  update(id: string, body: ShopBody): Promise<ShopView>
}

/** The default shop of a sandbox, and the sandbox itself. */
export interface TestSandbox extends TestShop {
  readonly shops: TestShops
  /**
   * Resolves when no simulator step, settlement or webhook attempt is pending. Expiries do not count, nor do steps that
   * a frozen clock has not reached.
   */
  idle(): Promise<void>
  /**
   * Clears payments, refunds, payouts, events, deliveries, rules, faults and receivers of all shops, and cancels
   * pending work. Then applies the seed, and the `rules` and `faults` of the options, again. Shops, settings and the
   * clock are kept.
   */
  reset(): Promise<void>
  /**
   * Sends events to your webhook handler in many orders, and shrinks each case that breaks it. The handler verifies
   * with `webhookSecret`. The search uses the system clock, and no data of this sandbox.
   * @throws HandlerBugError with the seed and each finding; Error if the search ended before a story was finished. Its
   *   message names the limit to raise, such as `time`.
   * @example await psp.explore('localhost:3000/hooks', { order: (id) => shop.order(id), balance: () => shop.balance()
   * })
   */
  explore(handler: ExploredHandler, options?: ExploreHandlerOptions): Promise<HandlerReport>
  /** Stops everything that `startSandbox` started. Can be called twice. A server that was already running continues. */
  close(): Promise<void>
  /** Calls `close` at the end of a block: `await using psp = await startSandbox()`. */
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Starts a payment service provider for a test suite in this process, or, with `url`, connects to a running server.
 * @throws PortUnavailableError, ExposedCredentialsError, WeakControlTokenError, SettingError, RefusalError (of a seed),
 *   TypeError; ConnectionError, UnexpectedResponseError, ApiError with `url`
 * @example
 * const psp = await startSandbox({ clock: 'frozen' })
 * t.after(() => psp.close()) // or: await using psp = …
 * const { payment } = await psp.payments.create({ amount: 100, method: 'sbp', order_id: 'A-1' })
 * await psp.clock.advance('2s')
 * await psp.waitFor('payment.succeeded', { order_id: 'A-1' })
 */
export async function startSandbox(options: StartOptions = {}): Promise<TestSandbox> {
  checkOptions(options)
  const { connection, shop } =
    options.url === undefined ? await startInProcess(options) : await connectToServer(options)
  try {
    return await sandboxHandle(connection, shop, options)
  } catch (error) {
    await connection.close()
    throw error
  }
}

async function sandboxHandle(
  connection: SandboxConnection,
  identity: ShopIdentity,
  options: StartOptions,
): Promise<TestSandbox> {
  const shop = await openShop(connection, identity, options)
  const { control } = shop.client
  const receivers = [shop.receiver]
  return {
    ...shop,
    shops: {
      async create(body = {}) {
        const { endpoints, receiver, timeout = options.timeout, ...fields } = requireObject('shops.create', body)
        const identity = await newShop(shop.client, fields)
        const made = await openShop(connection, identity, { endpoints, receiver, timeout }, shop.client)
        receivers.push(made.receiver)
        return made
      },
      list: async (query) => (await control.shops.list(query)).items,
      get: control.shops.get,
      update: control.shops.update,
    },
    async idle() {
      await control.clock.idle(connection.closing)
    },
    async reset() {
      await connection.reset(() => control.store.reset())
      for (const receiver of receivers) receiver.clear()
    },
    async explore(handler, options) {
      const { exploreHandler } = await import('./explore-handler.ts')
      return await exploreHandler(shop.webhookSecret, handler, options)
    },
    close: connection.close,
    [Symbol.asyncDispose]: connection.close,
  }
}
