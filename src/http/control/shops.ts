import * as z from 'zod'
import { atMost } from '../../domain/characters.ts'
import { refuse } from '../../domain/errors.ts'
import { omitUndefined } from '../../domain/omit-undefined.ts'
import { type SecretName, secretFormat, secretPattern } from '../../domain/secrets.ts'
import { ALLOW_LIST_PATTERN, API_KEY_PATTERN } from '../../domain/text-patterns.ts'
import type { EndpointInput, ShopInput } from '../../engine/command-inputs.ts'
import { requireRow } from '../../engine/require-row.ts'
import type { World } from '../../engine/world.ts'
import { requirePrivateSecrets } from './development-secrets.ts'
import { newEndpointBody } from './endpoints.ts'
import { count, flag, text } from './fields.ts'
import { PAGE_QUERY, tablePage } from './pagination.ts'
import { showEndpointWithSecret, showShop } from './present.ts'
import { created, ok, route } from './route.ts'

const shopChange = {
  name: text('a name')
    .min(1, 'a name')
    .refine(atMost(200), 'a name of at most 200 characters')
    .meta({ maxLength: 200 })
    .optional()
    .meta({ description: 'The name. Payments contain it.' }),
  live_enabled: flag.optional().meta({ description: 'True: live keys of the merchant are accepted.' }),
  require_signature: flag.optional().meta({ description: 'True: requests of the shop must be signed.' }),
  ip_allow_list: z
    .array(text('an address or a CIDR range').meta({ pattern: ALLOW_LIST_PATTERN }), {
      error: 'a list of addresses and CIDR ranges',
    })
    .max(1000, 'a list of at most 1000 entries')
    .optional()
    .meta({ description: 'Addresses and CIDR ranges from which requests are accepted. Empty: all.' }),
  rate_limit: count(0, 1_000_000).optional().meta({ description: 'Requests per second of the merchant. 0: no limit.' }),
  payout_route: flag.optional().meta({ description: 'False: payouts are rejected with `route_not_configured`.' }),
}

const withDefault = <S extends z.ZodType>(schema: S, value: string): S =>
  schema.meta({ description: `${schema.description} Default: ${value}.` })

const newShopFields = {
  name: shopChange.name,
  live_enabled: withDefault(shopChange.live_enabled, 'false'),
  require_signature: withDefault(shopChange.require_signature, 'false'),
  ip_allow_list: withDefault(shopChange.ip_allow_list, 'empty'),
  rate_limit: withDefault(shopChange.rate_limit, 'the setting `rate_limit`'),
  payout_route: withDefault(shopChange.payout_route, 'true'),
}

const secret = (name: SecretName) => text(secretFormat(name)).regex(secretPattern(name), secretFormat(name))

export const shopBody = z.strictObject({
  merchant_id: text('the id of a merchant')
    .optional()
    .meta({ description: 'An existing merchant that will own the shop. Default: a new merchant.' }),
  ...newShopFields,
  endpoints: z
    .array(newEndpointBody, { error: 'a list of endpoints' })
    .max(100, 'a list of at most 100 endpoints')
    .optional()
    .meta({ description: 'The webhook endpoints of the shop.' }),
  api_key: text('a whole API key, sk_test_…').optional().meta({
    pattern: API_KEY_PATTERN,
    description: 'The first key of the shop, `sk_test_…` or `sk_live_…`. Default: a new test key.',
  }),
  signing_secret: secret('signing_secret')
    .optional()
    .meta({ description: 'The secret for signatures of requests. Default: a new secret.' }),
  webhook_secret: secret('webhook_secret')
    .optional()
    .meta({ description: 'The secret for signatures of webhooks. Default: a new secret.' }),
})

export function shopInput(body: z.output<typeof shopBody>): ShopInput {
  const { endpoints = [], ...shop } = omitUndefined(body)
  return { ...shop, endpoints: endpoints.map((endpoint): EndpointInput => omitUndefined(endpoint)) }
}

export const shopRoutes = [
  route({
    name: 'listShops',
    method: 'GET',
    path: '/shops',
    summary: 'List shops',
    description: 'Returns the shops, the newest first.',
    query: z.strictObject(PAGE_QUERY),
    responses: { 200: 'ShopPage' },
    run: (call) =>
      tablePage(
        call,
        'shops',
        call.query,
        () => true,
        (shop) => showShop(call.world, shop),
      ),
  }),
  route({
    name: 'createShop',
    method: 'POST',
    path: '/shops',
    summary: 'Create a shop',
    description:
      'Creates a shop with a key and secrets, for a new or an existing merchant. Each secret is shown only in this response.',
    body: shopBody,
    bodyOptional: true,
    responses: { 201: 'CreatedShop' },
    errors: ['not_allowed'],
    run({ services, body }) {
      requirePrivateSecrets(services.control, [body], 'Omit the credential, so that a new one is generated.')
      const { shop, api_key, endpoints } = services.engine.execute('create_shop', shopInput(body))
      const { id: shop_id, merchant_id, signing_secret, webhook_secret } = shop
      return created({
        merchant_id,
        shop_id,
        api_key,
        signing_secret,
        webhook_secret,
        endpoints: endpoints.map(showEndpointWithSecret),
      })
    },
  }),
  route({
    name: 'getShop',
    method: 'GET',
    path: '/shops/:id',
    summary: 'Get a shop',
    description: 'Returns a shop.',
    responses: { 200: 'Shop' },
    run: ({ world, param }) => ok(showShop(world, requireRow(world, 'shops', param('id')))),
  }),
  route({
    name: 'updateShop',
    method: 'PATCH',
    path: '/shops/:id',
    summary: 'Update a shop',
    description: 'Changes the fields that the body contains. `live_enabled` and `rate_limit` belong to the merchant.',
    body: z.strictObject(shopChange),
    responses: { 200: 'Shop' },
    run({ services, world, body, param }) {
      const shop = services.engine.execute('update_shop', { shop_id: param('id'), change: omitUndefined(body) })
      return ok(showShop(world, shop))
    },
  }),
  route({
    name: 'rotateSigningSecret',
    method: 'POST',
    path: '/shops/:id/rotate-signing-secret',
    summary: 'Rotate the signing secret of a shop',
    description:
      'Replaces the `thm_…` secret. The new secret is shown only in this response. The old secret is invalid at once.',
    responses: { 200: 'SigningSecret' },
    run({ services, param }) {
      const { signing_secret } = services.engine.execute('rotate_shop_secret', {
        shop_id: param('id'),
        secret: 'signing',
      })
      return ok({ signing_secret })
    },
  }),
  route({
    name: 'rotateWebhookSecret',
    method: 'POST',
    path: '/shops/:id/rotate-webhook-secret',
    summary: 'Rotate the webhook secret of a shop',
    description:
      'Replaces the `whs_…` secret. The new secret is shown only in this response. The old secret is invalid at once.',
    responses: { 200: 'WebhookSecret' },
    run({ services, param }) {
      const { webhook_secret } = services.engine.execute('rotate_shop_secret', {
        shop_id: param('id'),
        secret: 'webhook',
      })
      return ok({ webhook_secret })
    },
  }),
]

/** Returns the id of the oldest shop, which is the default for requests that name no shop. */
export function firstShopId(world: World): string {
  for (const { id } of world.rows('shops')) return id
  throw refuse('not_found', 'There is no shop. Create one with POST /_psp/shops.')
}
