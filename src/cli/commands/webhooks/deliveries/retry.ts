import type { Client } from '../../../../client/client.ts'
import { rowsOf } from '../../../../client/paginate.ts'
import type { Run } from '../../../command.ts'
import { EXIT_CODES } from '../../../exit-codes.ts'
import { usage } from '../../../failure.ts'
import { printResult } from '../../../output/print-result.ts'
import { printTable } from '../../../output/table.ts'
import type { FlagValues } from '../../../parsing/flags.ts'
import { resolveId } from '../../../parsing/resolve-id.ts'
import type { Session } from '../../../session.ts'
import { ANSWER_COLUMNS } from './answer-columns.ts'
import type { RETRY_ARGUMENTS, RETRY_FLAGS } from './flags.ts'
import { retryAll } from './retry-all.ts'

type Filter = FlagValues<typeof RETRY_FLAGS>

/** Returns exit code 1 if the delivery failed. */
export const run: Run<typeof RETRY_ARGUMENTS, typeof RETRY_FLAGS> = async ({ args, flags, session }) => {
  // `flags` also contains the flags of every command.
  const { event_id, object_id, endpoint_id, shop_id, status } = flags
  const filter: Filter = { event_id, object_id, endpoint_id, shop_id, status }
  const filtered = Object.values(filter).some((value) => value !== undefined)
  if (args.ids.length > 0 === filtered) {
    throw usage('Give either delivery ids or filters such as --status.', EXAMPLE)
  }
  const { client } = await session.target('server')
  if (filtered) return await retryAll(await idsOf(client, filter), client, session)
  const ids = await Promise.all(args.ids.map((id) => resolveId(client.control.deliveries.list, id)))
  const [only = '', ...more] = ids
  return more.length === 0 ? await retryOne(only, client, session) : await retryAll(ids, client, session)
}

const EXAMPLE = '`psp webhooks deliveries retry --status exhausted` sends all exhausted deliveries again.'

async function retryOne(id: string, client: Client, { out }: Session): Promise<number> {
  const delivery = await client.control.deliveries.retry(id)
  await printResult(out, delivery, (tried) =>
    printTable(out, ANSWER_COLUMNS, [{ id: tried.event_id, delivery: tried }], ''),
  )
  return delivery.status === 'delivered' ? EXIT_CODES.done : EXIT_CODES.failed
}

/** Returns all ids, oldest first. They are read before the first retry, because a success changes the list. */
async function idsOf(client: Client, { status = 'exhausted', ...filter }: Filter): Promise<string[]> {
  const ids: string[] = []
  for await (const { id } of rowsOf(client.control.deliveries.list, { ...filter, status })) ids.push(id)
  return ids.reverse()
}
