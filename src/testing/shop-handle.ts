// One shop of a sandbox: its credentials, objects, events and receiver.
import { filterOf, requireOptions } from '../client/call-arguments.ts'
import { type Client, createClient, createShopClient } from '../client/client.ts'
import type { DeliveryFilter, EventFilter } from '../client/control-history.ts'
import type { DeliveryView, EventView, ObjectFilter, ReplayBody } from '../client/control-types.ts'
import { paginate } from '../client/paginate.ts'
import type { PublicOperations } from '../client/public-operations.ts'
import type { WebhookEventName } from '../domain/events.ts'
import type { PublicPayment } from '../domain/payment.ts'
import type { PublicPayout } from '../domain/payout.ts'
import type { PublicRefund } from '../domain/refund.ts'
import { requireAddress } from '../domain/typed-address.ts'
import { consumedBodyResponse, isConsumed } from '../http/read-body.ts'
import { clockOf, type TestClock } from './clock.ts'
import type { Credentials, ReceiverSubscription, SandboxConnection, ShopIdentity } from './connection.ts'
import { endpointsOf, type TestEndpoints } from './endpoints.ts'
import type { CommonOptions } from './options.ts'
import { createReceiver, type WebhookReceiver } from './receiver.ts'
import { type Faults, faultsOf, type Rules, rulesOf } from './rules-and-faults.ts'
import type { TestEvent, Where } from './test-event.ts'
import { type WaitOptions, waitForEvent } from './wait-for.ts'

type ShopFilter<Filter> = Omit<Filter, 'shop_id'>

type PaymentCalls = PublicOperations['payments']
type PayoutCalls = PublicOperations['payouts']

export interface TestPayments extends PaymentCalls {
  /** Returns all rows, newest first, like the other lists. `limit` may exceed the size of a page. */
  list(filter?: ShopFilter<ObjectFilter>): Promise<readonly PublicPayment[]>
  /** Pays as the buyer. The payment is final at once. */
  pay(id: string, method?: string): Promise<PublicPayment>
  /** Declines as the bank. The payment is final at once. Default code: `do_not_honor`. */
  decline(id: string, failureCode?: string): Promise<PublicPayment>
  expire(id: string): Promise<PublicPayment>
}

export interface TestPayouts extends PayoutCalls {
  list(filter?: ShopFilter<ObjectFilter>): Promise<readonly PublicPayout[]>
  settle(id: string, status: 'succeeded' | 'failed', failureCode?: string): Promise<PublicPayout>
}

export interface TestRefunds {
  /** The same as `payments.refund`. */
  create: PublicOperations['payments']['refund']
  list(filter?: ShopFilter<ObjectFilter>): Promise<readonly PublicRefund[]>
  settle(id: string, status: 'succeeded' | 'failed', failureCode?: string): Promise<PublicRefund>
}

export interface TestEvents {
  /** Returns the newest first. */
  list(filter?: ShopFilter<EventFilter>): Promise<readonly EventView[]>
  get(id: string): Promise<EventView>
  /** Sends the same bytes again, or an edited body, with a new signature. Resolves when the attempts are over. */
  replay(id: string, body?: ReplayBody): Promise<readonly DeliveryView[]>
}

export interface TestDeliveries {
  /** Returns the newest first, each with its attempts, requests and responses. */
  list(filter?: ShopFilter<DeliveryFilter>): Promise<readonly DeliveryView[]>
  get(id: string): Promise<DeliveryView>
  retry(id: string): Promise<DeliveryView>
}

/** A shop that a test controls. */
export interface TestShop extends Credentials {
  readonly shopId: string
  readonly merchantId: string
  /** The base URL for the program under test, without a trailing slash. */
  readonly url: string
  /** `PSP_URL`, `PSP_API_KEY`, `PSP_SIGNING_SECRET` and `PSP_WEBHOOK_SECRET`, for a child process. */
  readonly env: { readonly [name: string]: string }
  /** A `fetch` that reaches the sandbox. A path is relative to `url`. It adds no credentials. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  readonly payments: TestPayments
  readonly payouts: TestPayouts
  readonly refunds: TestRefunds
  readonly banks: PublicOperations['banks']
  readonly events: TestEvents
  readonly deliveries: TestDeliveries
  /** This shop's webhook endpoints, such as your application. The receiver is not one of them. */
  readonly endpoints: TestEndpoints
  /** The clock of the whole sandbox. */
  readonly clock: TestClock
  /** The rules of this shop. */
  readonly rules: Rules
  /** The faults of this shop. */
  readonly faults: Faults
  /** Stores and verifies this shop's webhooks. */
  readonly receiver: WebhookReceiver
  /**
   * From now on, webhooks of the whole sandbox are sent with `globalThis.fetch`, except those to a built-in `receiver`.
   * `pspHandlers` of `psp-sandbox/msw` calls it.
   */
  sendWebhooksWithGlobalFetch(): void
  /** Sets the beginning of each `payment_url` of the whole sandbox from now on. `pspHandlers` calls it too. */
  setPayUrl(url: string): void
  /** The typed client, for operations without a method here, and for every shop. */
  readonly client: Client
  /**
   * Resolves with the first event that matches, which may have happened earlier. Also waits until the first attempt of
   * each delivery of the event is over.
   * @throws WaitTimeoutError that says what happened instead
   * @example await psp.waitFor('payment.succeeded', { order_id: 'A-1' })
   */
  waitFor<Name extends WebhookEventName>(
    name: Name,
    where?: Where<Name>,
    options?: WaitOptions,
  ): Promise<TestEvent<Name>>
}

const DEFAULT_TIMEOUT = 4500

/**
 * Adds the endpoints and connects the receiver.
 * @param other the client of another shop of the sandbox; the new client shares its functions of the control API
 */
export async function openShop(
  connection: SandboxConnection,
  shop: ShopIdentity,
  options: CommonOptions,
  other?: Client,
): Promise<TestShop> {
  const { url, controlToken, call } = connection
  const access = { fetch: call, baseUrl: url, apiKey: shop.apiKey, controlToken }
  const client = other === undefined ? createClient(access) : createShopClient(access, other)
  let subscription: ReceiverSubscription | undefined
  const { receiver, handleWebhook } = createReceiver({
    now: connection.systemClock.now,
    secret: () => shop.webhookSecret,
    url: () => subscription?.url ?? '',
  })
  if (options.receiver !== false) subscription = await connection.receive(shop, handleWebhook)
  const endpoints = endpointsOf(client, shop.shopId, () => receiver.url)
  for (const endpoint of options.endpoints ?? []) await endpoints.add(endpoint)
  return createHandle(connection, { ...shop, endpoints }, client, receiver, options.timeout ?? DEFAULT_TIMEOUT)
}

function createHandle(
  connection: SandboxConnection,
  shop: ShopIdentity & Pick<TestShop, 'endpoints'>,
  client: Client,
  receiver: WebhookReceiver,
  timeout: number,
): TestShop {
  const { control, payments, payouts, banks } = client
  const { shopId } = shop
  const shop_id = shopId
  return {
    ...shop,
    url: connection.url,
    env: {
      PSP_URL: connection.url,
      PSP_API_KEY: shop.apiKey,
      PSP_SIGNING_SECRET: shop.signingSecret,
      PSP_WEBHOOK_SECRET: shop.webhookSecret,
    },
    fetch: async (input, init) => {
      const request = requestOf(input, init, connection.url)
      return request === undefined ? consumedBodyResponse() : connection.fetch(request)
    },
    payments: {
      ...payments,
      list: (filter) => paginate(control.lists.payments, { ...filterOf('payments', filter), shop_id }),
      pay: (id, method) => control.act.payment(id, { action: 'pay', method }),
      decline: (id, failure_code) => control.act.payment(id, { action: 'decline', failure_code }),
      expire: (id) => control.act.payment(id, { action: 'expire' }),
    },
    payouts: {
      ...payouts,
      list: (filter) => paginate(control.lists.payouts, { ...filterOf('payouts', filter), shop_id }),
      settle: (id, status, code) => control.act.payout(id, settled(status, code)),
    },
    refunds: {
      create: payments.refund,
      list: (filter) => paginate(control.lists.refunds, { ...filterOf('refunds', filter), shop_id }),
      settle: (id, status, code) => control.act.refund(id, settled(status, code)),
    },
    banks,
    events: {
      list: (filter) => paginate(control.events.list, { ...filterOf('events', filter), shop_id }),
      get: control.events.get,
      replay: async (id, body) => (await control.events.replay(id, body)).items,
    },
    deliveries: {
      list: (filter) => paginate(control.deliveries.list, { ...filterOf('deliveries', filter), shop_id }),
      get: control.deliveries.get,
      retry: control.deliveries.retry,
    },
    clock: clockOf(control),
    rules: rulesOf(control, shopId),
    faults: faultsOf(control, shopId),
    receiver,
    sendWebhooksWithGlobalFetch: connection.sendWebhooksWithGlobalFetch,
    setPayUrl: (url) => connection.setPayUrl(requireAddress(url, 'server', 'setPayUrl')),
    client,
    waitFor: (name, where = {}, options = {}) =>
      waitForEvent({ client, connection, shopId }, name, where, { timeout, ...waitOptions(options) }),
  }
}

/** Returns a copy, so that the caller can still read its request, or `undefined` if the body was already read. */
function requestOf(input: string | URL | Request, init: RequestInit | undefined, url: string): Request | undefined {
  if (typeof input === 'string') return new Request(new URL(input, `${url}/`), init)
  if (input instanceof URL || (init?.body ?? null) !== null) return new Request(input, init)
  return isConsumed(input) ? undefined : new Request(input.clone(), init)
}

function waitOptions(options: WaitOptions): WaitOptions {
  requireOptions('waitFor', options, ['timeout', 'attempted', 'signal'] satisfies (keyof WaitOptions)[])
  return options
}

function settled(status: 'succeeded' | 'failed', failure_code: string | undefined) {
  return { action: 'settle', status, failure_code } as const
}
