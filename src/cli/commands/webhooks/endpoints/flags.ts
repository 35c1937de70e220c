import { WEBHOOK_EVENTS } from '../../../../domain/events.ts'
import { ID_EXAMPLES } from '../../../../domain/id-examples.ts'
import { SIGNATURE_VERSIONS } from '../../../../domain/webhook-signature.ts'
import { choice, list, required, value } from '../../../parsing/flags.ts'
import { PAGE_FLAGS } from '../../../parsing/page-flags.ts'
import { oneOf } from '../../../parsing/parse.ts'
import { endpointUrl } from '../../../parsing/parse-address.ts'

const shop = value('--shop <id>', 'a shop other than the first')
const events = list('--events <names>', 'only these: payment.*,!payment.expired', undefined, WEBHOOK_EVENTS)
const signature = choice('--signature <version>', 'version of the signature', SIGNATURE_VERSIONS, oneOf)

export const ENDPOINT_ID = { id: required(`endpoint id, ${ID_EXAMPLES.endpoint}`) }
export const ENDPOINT_URL = { url: required('receiver URL: https://…, localhost:3000/hooks, 3000') }
export const LIST_FLAGS = { shop, ...PAGE_FLAGS }
export const CREATE_FLAGS = {
  shop,
  events,
  signature,
  own_secret: choice(
    '--own-secret <on|off>',
    "off: sign with the shop's webhook secret, like --endpoint",
    ['on', 'off'] as const,
    oneOf,
  ),
}
export const UPDATE_FLAGS = {
  to: value('--to <url>', 'another address', endpointUrl),
  events,
  signature,
  active: choice('--active <on|off>', 'whether it receives webhooks', ['on', 'off'] as const, oneOf),
}
