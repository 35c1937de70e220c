import { ID_EXAMPLES } from '../../domain/id-examples.ts'
import { command, group } from '../command.ts'
import { PAGE_FLAGS } from '../parsing/common-flags.ts'
import { asIs, choice, list, required, toggle, value } from '../parsing/flags.ts'
import { integer, oneOf } from '../parsing/parse.ts'

const ON_OFF = ['on', 'off'] as const

export const SHOP_ARGUMENTS = { id: required(`shop id, ${ID_EXAMPLES.shop}`) }
export const CHANGE_FLAGS = {
  name: value('--name <name>', 'name of the shop'),
  live: toggle('--live', 'accept live keys (sk_live_…) of its merchant'),
  no_live: toggle('--not-live', 'reject live keys of its merchant'),
  require_signature: {
    ...choice('--require-signature [on|off]', 'require signed requests', ON_OFF, oneOf),
    preset: 'on',
  },
  ip: list('--ip <cidr>', 'address or range that may send requests; an empty value clears the list', asIs),
  rate_limit: value('--rate-limit <n>', 'requests per second for its merchant; 0: no limit', integer(0)),
  payout_route: choice('--payout-route <on|off>', 'whether the shop can pay out', ON_OFF, oneOf),
}

export const CREATE_FLAGS = {
  ...CHANGE_FLAGS,
  merchant: value('--merchant <id>', 'id of an existing merchant that owns the shop; default a new one'),
  endpoint: list('--endpoint <url>', 'a webhook endpoint for the shop'),
}

export const ROTATE_ARGUMENTS = {
  id: required(`shop id, ${ID_EXAMPLES.shop}`),
  secret: required('which secret: signing or webhook', ['signing', 'webhook']),
}

export const shops = group({
  description: "Manage shops (terminals), as in the real service's dashboard.",
  commands: {
    list: command({
      description: 'List the shops, newest first.',
      flags: PAGE_FLAGS,
      examples: [['psp shops list', 'Show all shops and their options']],
    }),
    get: command({
      description: 'Show a shop.',
      args: SHOP_ARGUMENTS,
      examples: [['psp shops get 3f2a9c1e-…', 'Show all fields of a shop']],
    }),
    create: command({
      description: 'Create a shop with a key and secrets, which are shown once.',
      flags: CREATE_FLAGS,
      examples: [['psp shops create --name "Test 7" --json', 'Create a separate shop for a parallel test']],
      supportsDryRun: true,
    }),
    update: command({
      description: 'Change a shop.',
      args: SHOP_ARGUMENTS,
      flags: CHANGE_FLAGS,
      examples: [['psp shops update 3f2a9c1e-… --require-signature', 'Respond with 400 to unsigned requests']],
      supportsDryRun: true,
    }),
    'rotate-secret': command({
      description: 'Give a shop a new secret; the old one is invalid at once.',
      args: ROTATE_ARGUMENTS,
      examples: [
        [
          'psp shops rotate-secret 3f2a9c1e-… webhook',
          'Replace the webhook secret, and print the new one, which is shown once',
        ],
      ],
      supportsDryRun: true,
    }),
  },
})
