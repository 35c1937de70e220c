import type { EndpointView } from '../../../../client/control-types.ts'
import type { NoArguments, NoFlags, Run } from '../../../command.ts'
import { EXIT_CODES, usageError } from '../../../failure.ts'
import type { Output } from '../../../output/output.ts'
import { type Detail, printDetails, printResult } from '../../../output/result.ts'
import { type Column, printPage } from '../../../output/table.ts'
import { expandEvents } from '../../../parsing/event-patterns.ts'
import { isOn } from '../../../parsing/parse.ts'
import { endpointUrl } from '../../../parsing/parse-address.ts'
import { deleteSubcommand, resultSubcommand } from '../../../subcommand.ts'
import { defaultShop } from '../../../target/resolve-objects.ts'
import type {
  ENDPOINT_CREATE_FLAGS,
  ENDPOINT_ID,
  ENDPOINT_LIST_FLAGS,
  ENDPOINT_UPDATE_FLAGS,
  ENDPOINT_URL,
} from '../../webhooks.ts'
import { deliveryError } from '../deliveries/results.ts'
import { printDelivery } from '../deliveries/subcommands.ts'

const COLUMNS: readonly Column<EndpointView>[] = [
  { title: 'endpoint', cell: ({ id }) => id },
  { title: 'url', cell: ({ url }) => url },
  { title: 'events', cell: ({ events }) => (events.length === 0 ? 'all' : events.join(', ')) },
  { title: 'signature', cell: ({ signature }) => signature },
  { title: 'active', cell: ({ active }) => (active ? 'yes' : 'no') },
]

export const list: Run<NoArguments, typeof ENDPOINT_LIST_FLAGS> = async ({ flags, session }) => {
  const { shop, limit, cursor } = flags
  const { client } = await session.target()
  const page = await client.control.endpoints.list(shop ?? (await defaultShop(client)), { limit, cursor })
  return await printPage(session.out, page, COLUMNS, 'No endpoints. Add one: psp webhooks endpoints create URL')
}

export const create: Run<typeof ENDPOINT_URL, typeof ENDPOINT_CREATE_FLAGS> = async ({ args, flags, session }) => {
  const url = endpointUrl(args.url)
  const events = flags.events.length === 0 ? undefined : expandEvents(flags.events)
  const { client } = await session.target()
  const shop = flags.shop ?? (await defaultShop(client))
  const endpoint = await client.control.endpoints.create(shop, {
    url,
    events,
    signature: flags.signature,
    own_secret: isOn(flags.own_secret),
  })
  if (flags.own_secret !== 'off') session.out.aside(session.out.notePaint.dim(OWN_SECRET))
  return await printResult(session.out, endpoint, (created) => printEndpoint(session.out, created))
}

const OWN_SECRET =
  "Webhooks to this endpoint are signed with its own secret, not with the shop's, which `psp config --env` prints. --own-secret off uses the shop's."

export const update: Run<typeof ENDPOINT_ID, typeof ENDPOINT_UPDATE_FLAGS> = async ({ args, flags, session }) => {
  const change = {
    url: flags.to,
    events: flags.events.length === 0 ? undefined : expandEvents(flags.events),
    signature: flags.signature,
    active: isOn(flags.active),
  }
  if (Object.values(change).every((value) => value === undefined)) {
    throw usageError('Nothing to change.', 'Give --to, --events, --signature or --active.')
  }
  const { client } = await session.target()
  const endpoint = await client.control.endpoints.update(args.id, change)
  return await printResult(session.out, endpoint, (changed) => printEndpoint(session.out, changed))
}

export const remove = deleteSubcommand('endpoint', 'deleted', ({ control }, id) => control.endpoints.remove(id))

export const rotateSecret: Run<typeof ENDPOINT_ID, NoFlags> = resultSubcommand(
  ({ control }, { args }) => control.endpoints.rotateSecret(args.id),
  (out, { secret }) => out.line(secret),
)

/** Returns exit code 1 if the delivery failed. */
export const test: Run<typeof ENDPOINT_ID, NoFlags> = async ({ args, session }) => {
  const { client } = await session.target('server')
  const delivery = await client.control.endpoints.test(args.id)
  if (session.out.json && delivery.status !== 'delivered') throw deliveryError([delivery], 1)
  await printResult(session.out, delivery, (tested) => printDelivery(session.out, tested, false))
  return delivery.status === 'delivered' ? EXIT_CODES.done : EXIT_CODES.failed
}

function printEndpoint(out: Output, endpoint: EndpointView): void {
  const details: Detail[] = [
    ['endpoint', endpoint.id, out.paint.bold],
    ['url', endpoint.url],
    ['events', endpoint.events.length === 0 ? 'all' : endpoint.events.join(', ')],
    ['signature', endpoint.signature],
    ['active', endpoint.active ? 'yes' : 'no'],
    ['secret', endpoint.secret],
  ]
  printDetails(out, details)
}
