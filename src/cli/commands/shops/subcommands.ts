import type { ShopBody, ShopView } from '../../../client/control-types.ts'
import { allowListEntryIssue } from '../../../domain/ip-allow-list.ts'
import type { NoArguments, NoFlags, Run } from '../../command.ts'
import { usageError } from '../../failure.ts'
import type { Output } from '../../output/output.ts'
import { printDetails, printResult } from '../../output/result.ts'
import type { Column } from '../../output/table.ts'
import type { PAGE_FLAGS } from '../../parsing/common-flags.ts'
import type { FlagValues } from '../../parsing/flags.ts'
import { isOn, oneOf } from '../../parsing/parse.ts'
import { endpointUrl } from '../../parsing/parse-address.ts'
import { requireOrder } from '../../parsing/parser-errors.ts'
import { listSubcommand, resultSubcommand } from '../../subcommand.ts'
import type { CHANGE_FLAGS, CREATE_FLAGS, ROTATE_ARGUMENTS, SHOP_ARGUMENTS } from '../shops.ts'

const yes = (value: boolean | undefined) => (value === true ? 'yes' : '')

const COLUMNS: readonly Column<ShopView>[] = [
  { title: 'shop', cell: ({ id }) => id },
  { title: 'name', cell: ({ name }) => name },
  { title: 'merchant', cell: ({ merchant_id }) => merchant_id },
  { title: 'live', cell: ({ live_enabled }) => yes(live_enabled) },
  { title: 'signed', cell: ({ require_signature }) => yes(require_signature) },
  { title: 'payouts', cell: ({ payout_route }) => yes(payout_route) },
]

export const list: Run<NoArguments, typeof PAGE_FLAGS> = listSubcommand(
  ({ control }, { flags }) => control.shops.list(flags),
  COLUMNS,
  'No shops.',
)

export const get: Run<typeof SHOP_ARGUMENTS, NoFlags> = resultSubcommand(
  ({ control }, { args }) => control.shops.get(args.id),
  (out, shop) => printShop(out, shop),
)

export const create: Run<NoArguments, typeof CREATE_FLAGS> = async ({ flags, session }) => {
  const endpoints = flags.endpoint.map((url) => ({ url: endpointUrl(url) }))
  const { client } = await session.target()
  const shop = await client.control.shops.create({
    ...shopBody(flags),
    merchant_id: flags.merchant,
    endpoints: endpoints.length === 0 ? undefined : endpoints,
  })
  return await printResult(session.out, shop, () =>
    printDetails(session.out, [
      ['shop', shop.shop_id, session.out.paint.bold],
      ['merchant', shop.merchant_id],
      ['API key', shop.api_key],
      ['signing secret', shop.signing_secret],
      ['webhook secret', shop.webhook_secret],
      ...(shop.endpoints ?? []).map((endpoint) => ['endpoint', `${endpoint.url}  ${endpoint.secret ?? ''}`] as const),
    ]),
  )
}

export const update: Run<typeof SHOP_ARGUMENTS, typeof CHANGE_FLAGS> = async ({ args, flags, session }) => {
  const body = shopBody(flags)
  if (Object.values(body).every((value) => value === undefined)) {
    throw usageError('Nothing to change.', '`psp shops update --help` lists the options.')
  }
  const { client } = await session.target()
  const shop = await client.control.shops.update(args.id, body)
  return await printResult(session.out, shop, (changed) => printShop(session.out, changed))
}

const SECRETS = ['signing', 'webhook'] as const

export const rotateSecret: Run<typeof ROTATE_ARGUMENTS, NoFlags> = async ({ args, session }) => {
  requireOrder('psp shops rotate-secret', [args.id, args.secret], (text) => SECRETS.some((name) => name === text))
  const which = oneOf(args.secret, SECRETS)
  const { client } = await session.target()
  const { shops } = client.control
  const response = await (which === 'signing' ? shops.rotateSigningSecret(args.id) : shops.rotateWebhookSecret(args.id))
  return await printResult(session.out, response, (secrets) => session.out.line(Object.values(secrets)[0]))
}

/** Returns the shop fields that flags set. Other fields do not change. */
export function shopBody(flags: FlagValues<typeof CHANGE_FLAGS>): ShopBody {
  if (flags.live && flags.no_live) throw usageError('--live and --not-live exclude each other.', 'Omit one of them.')
  const wrong = flags.ip.map((entry) => (entry === '' ? undefined : allowListEntryIssue(entry))).find(Boolean)
  if (wrong !== undefined) throw usageError(`--ip: ${wrong}`, 'An empty value clears the list.')
  return {
    name: flags.name,
    live_enabled: flags.live ? true : flags.no_live ? false : undefined,
    require_signature: isOn(flags.require_signature),
    ip_allow_list: flags.ip.length === 0 ? undefined : flags.ip.filter((entry) => entry !== ''),
    rate_limit: flags.rate_limit,
    payout_route: isOn(flags.payout_route),
  }
}

const onOff = (value: boolean | undefined) => (value === true ? 'on' : 'off')

function printShop(out: Output, shop: ShopView): void {
  printDetails(out, [
    ['shop', shop.id, out.paint.bold],
    ['name', shop.name],
    ['merchant', shop.merchant_id],
    ['live mode', onOff(shop.live_enabled)],
    ['signed requests', shop.require_signature ? 'required' : 'optional'],
    ['allowed callers', shop.ip_allow_list.length === 0 ? 'all' : shop.ip_allow_list.join(', ')],
    ['rate limit', shop.rate_limit ?? 'the setting rate_limit'],
    ['payouts', onOff(shop.payout_route)],
  ])
}
