// The control routes for what a merchant does in the real service's dashboard, and those of the settings.
import type { PublicPayment } from '../domain/payment.ts'
import type { PublicPayout } from '../domain/payout.ts'
import type { PublicRefund } from '../domain/refund.ts'
import { pathSegment, requireObject } from './call-arguments.ts'
import { controlCalls } from './control-calls.ts'
import type {
  DeliveryView,
  EndpointBody,
  EndpointView,
  KeyView,
  Page,
  PageQuery,
  ShopBody,
  ShopCreatedView,
  ShopView,
} from './control-types.ts'
import type { HttpClient, ResponseShape } from './http-client.ts'
import type { CreatePaymentBody, CreatePayoutBody } from './public-types.ts'

export interface DashboardOperations {
  /** Creates, cancels and refunds without an API key. */
  readonly merchant: {
    createPayment(body: CreatePaymentBody & ControlFields): Promise<PublicPayment>
    createPayout(body: CreatePayoutBody & ControlFields): Promise<PublicPayout>
    cancelPayment(id: string): Promise<PublicPayment>
    refundPayment(id: string, body: { amount?: number | undefined; reason?: string | undefined }): Promise<PublicRefund>
  }
  readonly shops: {
    list(query?: PageQuery): Promise<Page<ShopView>>
    get(id: string): Promise<ShopView>
    create(body: ShopBody): Promise<ShopCreatedView>
    update(id: string, body: ShopBody): Promise<ShopView>
    rotateSigningSecret(id: string): Promise<{ signing_secret: string }>
    rotateWebhookSecret(id: string): Promise<{ webhook_secret: string }>
  }
  readonly keys: {
    list(shopId: string, query?: PageQuery): Promise<Page<KeyView>>
    create(shopId: string, body: { mode: 'test' | 'live' }): Promise<KeyView & { api_key: string }>
    revoke(id: string): Promise<void>
  }
  readonly endpoints: {
    list(shopId: string, query?: PageQuery): Promise<Page<EndpointView>>
    /** `secret` is absent if `own_secret` is false. */
    create(shopId: string, body: EndpointBody): Promise<EndpointView>
    update(id: string, body: EndpointBody): Promise<EndpointView>
    remove(id: string): Promise<void>
    rotateSecret(id: string): Promise<EndpointView & { secret: string }>
    /** Sends a signed sample. Resolves when the attempt is over. */
    test(id: string): Promise<DeliveryView>
  }
  readonly settings: {
    get(): Promise<Record<string, unknown>>
    /** Returns the source of each setting: `default`, `settings` (stored), or a start option such as `--set`. */
    origins(): Promise<Record<string, string>>
    update(values: Record<string, unknown>): Promise<Record<string, unknown>>
  }
}

/** Fields that only the control API accepts. */
interface ControlFields {
  readonly outcome?: string | undefined
  readonly shop_id?: string | undefined
}

const ROW = { id: 'string' } as const satisfies ResponseShape
const CREATED_SHOP = { shop_id: 'string', api_key: 'string' } as const satisfies ResponseShape

export function dashboardOperations(http: HttpClient): DashboardOperations {
  const { get, list, post, patch, remove } = controlCalls(http)
  const shop = (id: string, rest = '') => `shops/${pathSegment(id)}${rest}`
  const endpoint = (id: string, rest = '') => `endpoints/${pathSegment(id)}${rest}`
  const payment = (id: string, rest: string) => `payments/${pathSegment(id)}${rest}`
  return {
    merchant: {
      createPayment: (body) => post('payments', requireObject('merchant.createPayment', body), ROW),
      createPayout: (body) => post('payouts', requireObject('merchant.createPayout', body), ROW),
      cancelPayment: (id) => post(payment(id, '/cancel'), undefined, ROW),
      refundPayment: (id, body) => post(payment(id, '/refund'), requireObject('merchant.refundPayment', body), ROW),
    },
    shops: {
      list: (query) => list('shops', query),
      get: (id) => get(shop(id), ROW),
      create: (body) => post('shops', requireObject('shops.create', body), CREATED_SHOP),
      update: (id, body) => patch(shop(id), requireObject('shops.update', body), ROW),
      rotateSigningSecret: (id) => post(shop(id, '/rotate-signing-secret'), undefined, { signing_secret: 'string' }),
      rotateWebhookSecret: (id) => post(shop(id, '/rotate-webhook-secret'), undefined, { webhook_secret: 'string' }),
    },
    keys: {
      list: (shopId, query) => list(shop(shopId, '/keys'), query, 'keys'),
      create: (shopId, body) =>
        post(
          shop(shopId, '/keys'),
          requireObject('keys.create', body, "an object after the id, such as { mode: 'test' }"),
          { id: 'string', api_key: 'string' },
        ),
      revoke: (id) => remove(`keys/${pathSegment(id)}`),
    },
    endpoints: {
      list: (shopId, query) => list(shop(shopId, '/endpoints'), query, 'endpoints'),
      create: (shopId, body) =>
        post(
          shop(shopId, '/endpoints'),
          requireObject('endpoints.create', body, 'an object after the id of the shop, such as { url: … }'),
          ROW,
        ),
      update: (id, body) => patch(endpoint(id), requireObject('endpoints.update', body), ROW),
      remove: (id) => remove(endpoint(id)),
      rotateSecret: (id) => post(endpoint(id, '/rotate-secret'), undefined, ROW),
      test: (id) => post(endpoint(id, '/test'), undefined, ROW),
    },
    settings: {
      get: () => get('settings'),
      origins: () => get('settings/origins'),
      update: (body) =>
        patch('settings', requireObject('settings.update', body, "an object, such as { 'delays.bank': '2s' }")),
    },
  }
}
