import type { DeliveryView } from '../../../../client/control-types.ts'
import { truncate } from '../../../../terminal/text-width.ts'
import type { NoArguments, Run } from '../../../command.ts'
import { idColumn, timeColumn } from '../../../output/id-and-time-columns.ts'
import { printPage } from '../../../output/pages.ts'
import { printResult } from '../../../output/print-result.ts'
import type { Column } from '../../../output/table.ts'
import { resolveId } from '../../../parsing/resolve-id.ts'
import type { DELIVERY_GET_FLAGS, DELIVERY_ID, DELIVERY_LIST_FLAGS } from '../../webhooks.ts'
import { answerText, printDelivery } from './view.ts'

const COLUMNS: readonly Column<DeliveryView>[] = [
  idColumn('delivery', ({ id }) => id),
  { title: 'event', cell: ({ event }) => event },
  { title: 'status', cell: ({ status }) => status },
  { title: 'tries', cell: ({ attempts }) => attempts.length, right: true },
  { title: 'response', cell: (delivery) => (delivery.attempts.length === 0 ? undefined : shortAnswer(delivery)) },
  timeColumn('last try', ({ attempts }) => attempts.at(-1)?.at ?? ''),
  idColumn('object', ({ object_id }) => object_id),
  { title: 'url', cell: ({ url }) => url, least: 20 },
]

/** Shortens a response. `deliveries get` shows it in full. */
function shortAnswer(delivery: DeliveryView): string {
  return truncate(String(answerText(delivery)), 32)
}

const SEND_AGAIN =
  'exhausted: no further retries. `psp webhooks deliveries retry --status exhausted` sends all of them again.'

export const list: Run<NoArguments, typeof DELIVERY_LIST_FLAGS> = async ({ flags, session }) => {
  const { client } = await session.target()
  const page = await client.control.deliveries.list(flags)
  const { out } = session
  const code = await printPage(
    out,
    page,
    COLUMNS,
    'No deliveries. There is no receiver, or nothing has happened yet.',
    flags,
  )
  if (!out.json && page.items.some(({ status }) => status === 'exhausted')) out.note(out.notePaint.dim(SEND_AGAIN))
  return code
}

export const get: Run<typeof DELIVERY_ID, typeof DELIVERY_GET_FLAGS> = async ({ args, flags, session }) => {
  const { client } = await session.target()
  const delivery = await client.control.deliveries.get(await resolveId(client.control.deliveries.list, args.id))
  return await printResult(session.out, delivery, (found) => printDelivery(session.out, found, flags.last))
}
