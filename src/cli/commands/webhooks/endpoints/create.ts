import type { Run } from '../../../command.ts'
import { defaultShop } from '../../../config/default-shop.ts'
import { printResult } from '../../../output/print-result.ts'
import { expandEvents } from '../../../parsing/event-patterns.ts'
import { endpointUrl } from '../../../parsing/parse-address.ts'
import type { CREATE_FLAGS, ENDPOINT_URL } from './flags.ts'
import { printEndpoint } from './view.ts'

export const run: Run<typeof ENDPOINT_URL, typeof CREATE_FLAGS> = async ({ args, flags, session }) => {
  const url = endpointUrl(args.url)
  const events = flags.events.length === 0 ? undefined : expandEvents(flags.events)
  const { client } = await session.target()
  const shop = flags.shop ?? (await defaultShop(client))
  const endpoint = await client.control.endpoints.create(shop, {
    url,
    events,
    signature: flags.signature,
    ...(flags.own_secret === undefined ? {} : { own_secret: flags.own_secret === 'on' }),
  })
  return await printResult(session.out, endpoint, (made) => printEndpoint(session.out, made))
}
