// The control routes that stand for the dashboard: shops, keys, endpoints, settings.
import { type Caller, LIST, type Shape } from './caller.ts'
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
} from './control-wire.ts'

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
    /** A signed sample; answers when the attempt is over. */
    test(id: string): Promise<DeliveryView>
  }
  readonly settings: {
    get(): Promise<Record<string, unknown>>
    /** By name: `default`, `settings` (stored), or what the server was started with, such as `--set`. */
    origins(): Promise<Record<string, string>>
    update(values: Record<string, unknown>): Promise<Record<string, unknown>>
  }
}

const ROW = { id: 'string' } as const satisfies Shape
const STARTED = { shop_id: 'string', api_key: 'string' } as const satisfies Shape

export function dashboardOperations(caller: Caller): DashboardOperations {
  const shop = (id: string, rest = '') => `/_psp/shops/${encodeURIComponent(id)}${rest}`
  const endpoint = (id: string, rest = '') => `/_psp/endpoints/${encodeURIComponent(id)}${rest}`
  return {
    shops: {
      list: (query) => caller.json({ method: 'GET', path: '/_psp/shops', query: { ...query }, answers: LIST }),
      get: (id) => caller.json({ method: 'GET', path: shop(id), answers: ROW }),
      create: (body) => caller.json({ method: 'POST', path: '/_psp/shops', body, answers: STARTED }),
      update: (id, body) => caller.json({ method: 'PATCH', path: shop(id), body, answers: ROW }),
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
      list: (shopId, query) =>
        caller.json({ method: 'GET', path: shop(shopId, '/keys'), query: { ...query }, answers: LIST }),
      create: (shopId, body) =>
        caller.json({
          method: 'POST',
          path: shop(shopId, '/keys'),
          body,
          answers: { id: 'string', api_key: 'string' },
        }),
      revoke: (id) => caller.json({ method: 'DELETE', path: `/_psp/keys/${encodeURIComponent(id)}` }),
    },
    endpoints: {
      list: (shopId, query) =>
        caller.json({ method: 'GET', path: shop(shopId, '/endpoints'), query: { ...query }, answers: LIST }),
      create: (shopId, body) => caller.json({ method: 'POST', path: shop(shopId, '/endpoints'), body, answers: ROW }),
      update: (id, body) => caller.json({ method: 'PATCH', path: endpoint(id), body, answers: ROW }),
      remove: (id) => caller.json({ method: 'DELETE', path: endpoint(id) }),
      rotateSecret: (id) => caller.json({ method: 'POST', path: endpoint(id, '/rotate-secret'), answers: ROW }),
      test: (id) => caller.json({ method: 'POST', path: endpoint(id, '/test'), answers: ROW }),
    },
    settings: {
      get: () => caller.json({ method: 'GET', path: '/_psp/settings' }),
      origins: () => caller.json({ method: 'GET', path: '/_psp/settings/origins' }),
      update: (body) => caller.json({ method: 'PATCH', path: '/_psp/settings', body }),
    },
  }
}
