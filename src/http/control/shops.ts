import * as z from 'zod'
import { refuse } from '../../domain/errors.ts'
import { WEBHOOK_EVENTS } from '../../domain/events.ts'
import type { Endpoint } from '../../domain/shop.ts'
import { PAGE_QUERY, page } from './page.ts'
import { showEndpoint, showKey, showShop } from './present.ts'
import { changed, count, created, gone, ok, oneOf, route, text } from './route.ts'

const flag = z.boolean({ error: 'true or false' })
const EVENTS = `names of ${WEBHOOK_EVENTS.join(', ')}`
const URL_FORM = 'an http or https url'

export const endpointBody = z.object({
  url: text(URL_FORM).refine(isHttp, URL_FORM),
  events: z.array(z.enum(WEBHOOK_EVENTS, { error: EVENTS }), { error: EVENTS }).optional(),
  signature: oneOf('v1', 'v2').optional(),
})

const shopFields = {
  name: text('a name').min(1, 'a name').max(200, 'at most 200 characters').optional(),
  live_enabled: flag.optional(),
  require_signature: flag.optional(),
  ip_allow_list: z.array(text('an address or CIDR range'), { error: 'a list of addresses and CIDR ranges' }).optional(),
  rate_limit: count(0, 1_000_000).optional(),
  payout_route: flag.optional(),
}

export const shopBody = z.object({
  ...shopFields,
  merchant_id: text('the id of a merchant').optional(),
  endpoints: z.array(endpointBody, { error: 'a list of endpoints' }).optional(),
})

export const shops = [
  route({
    method: 'GET',
    path: '/shops',
    summary: 'The shops, newest first',
    query: z.object(PAGE_QUERY),
    run: ({ world, query }) =>
      ok(
        page(
          world.rows('shops', 'newest'),
          query,
          () => true,
          (shop) => showShop(world, shop),
        ),
      ),
  }),
  route({
    method: 'POST',
    path: '/shops',
    summary: 'Makes a merchant, a shop, a key and secrets; each secret is shown once',
    body: shopBody,
    bodyOptional: true,
    refuses: ['bad_request'],
    run({ services, body }) {
      const { shop, api_key, endpoints } = services.engine.execute(
        'create_shop',
        given({ ...body, endpoints: body.endpoints?.map(given) }),
      )
      return changed(
        services,
        created({
          merchant_id: shop.merchant_id,
          shop_id: shop.id,
          api_key,
          signing_secret: shop.signing_secret,
          webhook_secret: shop.webhook_secret,
          endpoints: endpoints.map(withSecret),
        }),
      )
    },
  }),
  route({
    method: 'GET',
    path: '/shops/:id',
    summary: 'One shop',
    refuses: ['not_found'],
    run({ world, param }) {
      const shop = world.get('shops', param('id').toLowerCase())
      if (shop === undefined) throw refuse('not_found', `There is no shop ${param('id').slice(0, 64)}.`)
      return ok(showShop(world, shop))
    },
  }),
  route({
    method: 'PATCH',
    path: '/shops/:id',
    summary: 'Changes a shop',
    body: z.object(shopFields),
    refuses: ['not_found', 'bad_request'],
    run({ services, world, body, param }) {
      const shop = services.engine.execute('update_shop', { shop_id: param('id'), change: given(body) })
      return changed(services, ok(showShop(world, shop)))
    },
  }),
  route({
    method: 'POST',
    path: '/shops/:id/rotate-signing-secret',
    summary: 'A new thm_ secret; the old one is invalid at once',
    run({ services, param }) {
      const shop = services.engine.execute('rotate_shop_secret', { shop_id: param('id'), secret: 'signing' })
      return changed(services, ok({ signing_secret: shop.signing_secret }))
    },
  }),
  route({
    method: 'POST',
    path: '/shops/:id/rotate-webhook-secret',
    summary: 'A new whs_ secret; the old one is invalid at once',
    run({ services, param }) {
      const shop = services.engine.execute('rotate_shop_secret', { shop_id: param('id'), secret: 'webhook' })
      return changed(services, ok({ webhook_secret: shop.webhook_secret }))
    },
  }),
  route({
    method: 'GET',
    path: '/shops/:id/keys',
    summary: "A shop's keys; only their public part is known",
    query: z.object(PAGE_QUERY),
    run: ({ world, query, param }) =>
      ok(page([...world.find('keys', 'by_shop', param('id').toLowerCase())].reverse(), query, () => true, showKey)),
  }),
  route({
    method: 'POST',
    path: '/shops/:id/keys',
    summary: 'A new key, shown once',
    body: z.object({ mode: oneOf('test', 'live').default('test') }),
    bodyOptional: true,
    refuses: ['not_found', 'bad_request'],
    run({ services, body, param }) {
      const { key, api_key } = services.engine.execute('create_key', { shop_id: param('id'), mode: body.mode })
      const { id, mode, created_at } = showKey(key)
      return changed(services, created({ id, api_key, mode, created_at }))
    },
  }),
  route({
    method: 'DELETE',
    path: '/keys/:id',
    summary: 'Revokes a key; its stream is closed',
    refuses: ['not_found'],
    run({ services, param }) {
      services.engine.execute('revoke_key', { key_id: param('id') })
      return changed(services, gone)
    },
  }),
]

/** The endpoint with its secret, for the one time it is shown. */
export function withSecret(endpoint: Endpoint) {
  return { ...showEndpoint(endpoint), ...(endpoint.secret === undefined ? {} : { secret: endpoint.secret }) }
}

/** Without fields that are undefined. */
export function given<T extends object>(body: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as never
}

function isHttp(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
}
