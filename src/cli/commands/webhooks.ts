import { DELIVERY_STATUSES } from '../../domain/delivery.ts'
import { WEBHOOK_EVENTS } from '../../domain/events.ts'
import { ID_EXAMPLES, idOrStart, shortenableId, shortenableIds } from '../../domain/id-examples.ts'
import { SIGNATURE_VERSIONS } from '../../domain/signatures.ts'
import { command, group } from '../command.ts'
import { PAGE_FLAGS, SHOP, SHOP_FILTER } from '../parsing/common-flags.ts'
import { choice, list, required, toggle, value, zeroOrMore } from '../parsing/flags.ts'
import { oneOf } from '../parsing/parse.ts'
import { endpointUrl } from '../parsing/parse-address.ts'

const events = list('--events <names>', 'only these events: payment.*,!payment.expired', undefined, WEBHOOK_EVENTS)
const signature = choice('--signature <version>', 'version of the signature', SIGNATURE_VERSIONS, oneOf)

export const ENDPOINT_ID = { id: required(`endpoint id, ${ID_EXAMPLES.endpoint}`) }
export const ENDPOINT_URL = { url: required('receiver URL: https://…, localhost:3000/hooks, 3000') }
export const ENDPOINT_LIST_FLAGS = { shop: SHOP, ...PAGE_FLAGS }
export const ENDPOINT_CREATE_FLAGS = {
  shop: SHOP,
  events,
  signature,
  own_secret: choice(
    '--own-secret <on|off>',
    "whether the endpoint has its own secret; off: it uses the shop's, as with serve --endpoint",
    ['on', 'off'] as const,
    oneOf,
  ),
}
export const ENDPOINT_UPDATE_FLAGS = {
  to: value('--to <url>', 'new URL', endpointUrl),
  events,
  signature,
  active: choice('--active <on|off>', 'whether the endpoint receives webhooks', ['on', 'off'] as const, oneOf),
}

const endpoints = group({
  description: 'Manage webhook endpoints.',
  commands: {
    list: command({
      description: 'List the webhook endpoints of a shop.',
      flags: ENDPOINT_LIST_FLAGS,
      examples: [['psp webhooks endpoints list', 'Show the endpoints of the default shop']],
    }),
    create: command({
      description: 'Add a webhook endpoint; its secret is shown once.',
      args: ENDPOINT_URL,
      flags: ENDPOINT_CREATE_FLAGS,
      examples: [
        ['psp webhooks endpoints create localhost:3000/hooks --events "payment.*"', 'Send payment events only'],
        [
          'psp webhooks endpoints create localhost:3000/hooks --own-secret off',
          "Sign with the shop's secret, PSP_WEBHOOK_SECRET",
        ],
      ],
      supportsDryRun: true,
    }),
    update: command({
      description: 'Change a webhook endpoint.',
      args: ENDPOINT_ID,
      flags: ENDPOINT_UPDATE_FLAGS,
      examples: [['psp webhooks endpoints update we_… --active off', 'Stop sending webhooks to an endpoint']],
      supportsDryRun: true,
    }),
    delete: command({
      description: 'Delete a webhook endpoint and cancel its pending deliveries.',
      args: ENDPOINT_ID,
      examples: [['psp webhooks endpoints delete we_…', 'Delete an endpoint']],
      supportsDryRun: true,
    }),
    'rotate-secret': command({
      description: 'Give a webhook endpoint a new secret; the old one is invalid at once.',
      args: ENDPOINT_ID,
      examples: [
        ['psp webhooks endpoints rotate-secret we_…', 'Replace the secret, and print the new one, which is shown once'],
      ],
      supportsDryRun: true,
    }),
    test: command({
      description: 'Send a signed sample to a webhook endpoint.',
      survivesClosedStdout: true,
      args: ENDPOINT_ID,
      examples: [['psp webhooks endpoints test we_…', 'Send payment.succeeded with metadata.sample']],
      supportsDryRun: true,
    }),
  },
})

export const DELIVERY_ID = { id: required(shortenableId('delivery')) }

const FILTER_FLAGS = {
  event_id: value('--event <id>', `only for this event: ${idOrStart('event')}`),
  object_id: value('--object <id>', `only for this payment or payout: ${idOrStart('payment')}`),
  endpoint_id: value('--endpoint <id>', `only to this endpoint, ${ID_EXAMPLES.endpoint}`),
  shop_id: SHOP_FILTER,
}

export const DELIVERY_LIST_FLAGS = {
  ...FILTER_FLAGS,
  status: choice('--status <status>', 'only with this status', [...DELIVERY_STATUSES, 'sending'] as const, oneOf),
  ...PAGE_FLAGS,
}

export const RETRY_ARGUMENTS = {
  ids: zeroOrMore(`${shortenableIds('delivery')}; without ids, use the filter options`),
}

export const RETRY_FLAGS = {
  ...FILTER_FLAGS,
  status: choice('--status <status>', 'only with this status, default exhausted', DELIVERY_STATUSES, oneOf),
}
export const DELIVERY_GET_FLAGS = { last: toggle('--last', 'show only the last attempt') }

const deliveries = group({
  description: 'Show webhooks with their attempts and responses, and retry them.',
  commands: {
    list: command({
      description: 'List deliveries, newest first.',
      flags: DELIVERY_LIST_FLAGS,
      examples: [['psp webhooks deliveries list --status exhausted', 'Show deliveries whose attempts all failed']],
    }),
    get: command({
      description: 'Show a delivery with every attempt: bytes, headers, status, time and response.',
      args: DELIVERY_ID,
      flags: DELIVERY_GET_FLAGS,
      examples: [
        ['psp webhooks deliveries get dlv_…', 'Show every attempt'],
        ['psp webhooks deliveries get dlv_… --last', 'Show the last attempt'],
      ],
    }),
    retry: command({
      description: 'Retry the given deliveries now, or all that match a filter, the oldest first.',
      survivesClosedStdout: true,
      args: RETRY_ARGUMENTS,
      flags: RETRY_FLAGS,
      examples: [
        ['psp webhooks deliveries retry dlv_…', 'Send a delivery now and show the response'],
        [
          'psp webhooks deliveries retry --status exhausted',
          'Send all exhausted deliveries, after the handler is fixed',
        ],
        ['psp webhooks deliveries retry --endpoint we_… --dry-run', 'Show what would be sent to one endpoint'],
      ],
      supportsDryRun: true,
    }),
  },
})

export const webhooks = group({
  description: 'Manage endpoints and deliveries.',
  commands: { endpoints, deliveries },
})
