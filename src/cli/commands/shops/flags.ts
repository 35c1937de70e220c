import { ID_EXAMPLES } from '../../../domain/id-examples.ts'
import { asIs, choice, list, required, toggle, value } from '../../parsing/flags.ts'
import { PAGE_FLAGS } from '../../parsing/page-flags.ts'
import { integer, oneOf } from '../../parsing/parse.ts'

const ON_OFF = ['on', 'off'] as const

export const SHOP_ID = { id: required(`shop id, ${ID_EXAMPLES.shop}`) }
export const LIST_FLAGS = PAGE_FLAGS

export const CHANGE_FLAGS = {
  name: value('--name <name>', 'its name'),
  live: toggle('--live', 'activate its merchant for live mode'),
  no_live: toggle('--not-live', 'deactivate it'),
  require_signature: {
    ...choice('--require-signature [on|off]', 'require signed requests', ON_OFF, oneOf),
    preset: 'on',
  },
  ip: list('--ip <cidr>', 'address or range that may send requests; an empty value clears the list', asIs),
  rate_limit: value('--rate-limit <n>', 'requests per second; 0: no limit', integer(0)),
  payout_route: choice('--payout-route <on|off>', 'whether it can pay out', ON_OFF, oneOf),
}

export const CREATE_FLAGS = {
  ...CHANGE_FLAGS,
  merchant: value('--merchant <id>', 'an existing merchant'),
  endpoint: list('--endpoint <url>', 'a webhook endpoint for the shop'),
}

export const ROTATE_ARGUMENTS = {
  id: required(`shop id, ${ID_EXAMPLES.shop}`),
  secret: required('signing or webhook', ['signing', 'webhook']),
}
