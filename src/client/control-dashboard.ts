// The control routes of the dashboard: shops, keys, endpoints and settings.
import { pathSegment, requireObject } from './call-arguments.ts'
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
import { listPage } from './paginate.ts'

export interface DashboardOperations {
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
    create(shopId: string, body: EndpointBody): Promise<EndpointView & { secret: string }>
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

const ROW = { id: 'string' } as const satisfies ResponseShape
const STARTED = { shop_id: 'string', api_key: 'string' } as const satisfies ResponseShape

export function dashboardOperations(caller: HttpClient): DashboardOperations {
  const shop = (id: string, rest = '') => `/_psp/shops/${pathSegment(id)}${rest}`
  const endpoint = (id: string, rest = '') => `/_psp/endpoints/${pathSegment(id)}${rest}`
  return {
    shops: {
      list: (query) => listPage(caller, '/_psp/shops', 'shops', query),
      get: (id) => caller.json({ method: 'GET', path: shop(id), answers: ROW }),
      create: (body) =>
        caller.json({
          method: 'POST',
          path: '/_psp/shops',
          body: requireObject('shops.create', body),
          answers: STARTED,
        }),
      update: (id, body) =>
        caller.json({ method: 'PATCH', path: shop(id), body: requireObject('shops.update', body), answers: ROW }),
      rotateSigningSecret: (id) =>
        caller.json({
          method: 'POST',
          path: shop(id, '/rotate-signing-secret'),
          answers: { signing_secret: 'string' },
        }),
      rotateWebhookSecret: (id) =>
        caller.json({
          method: 'POST',
          path: shop(id, '/rotate-webhook-secret'),
          answers: { webhook_secret: 'string' },
        }),
    },
    keys: {
      list: (shopId, query) => listPage(caller, shop(shopId, '/keys'), 'keys', query),
      create: (shopId, body) =>
        caller.json({
          method: 'POST',
          path: shop(shopId, '/keys'),
          body: requireObject('keys.create', body, "an object after the id, such as { mode: 'test' }"),
          answers: { id: 'string', api_key: 'string' },
        }),
      revoke: (id) => caller.json({ method: 'DELETE', path: `/_psp/keys/${pathSegment(id)}` }),
    },
    endpoints: {
      list: (shopId, query) => listPage(caller, shop(shopId, '/endpoints'), 'endpoints', query),
      create: (shopId, body) =>
        caller.json({
          method: 'POST',
          path: shop(shopId, '/endpoints'),
          body: requireObject('endpoints.create', body, 'an object after the id of the shop, such as { url: … }'),
          answers: ROW,
        }),
      update: (id, body) =>
        caller.json({
          method: 'PATCH',
          path: endpoint(id),
          body: requireObject('endpoints.update', body),
          answers: ROW,
        }),
      remove: (id) => caller.json({ method: 'DELETE', path: endpoint(id) }),
      rotateSecret: (id) => caller.json({ method: 'POST', path: endpoint(id, '/rotate-secret'), answers: ROW }),
      test: (id) => caller.json({ method: 'POST', path: endpoint(id, '/test'), answers: ROW }),
    },
    settings: {
      get: () => caller.json({ method: 'GET', path: '/_psp/settings' }),
      origins: () => caller.json({ method: 'GET', path: '/_psp/settings/origins' }),
      update: (body) =>
        caller.json({
          method: 'PATCH',
          path: '/_psp/settings',
          body: requireObject('settings.update', body, "an object, such as { 'delays.bank': '2s' }"),
        }),
    },
  }
}
