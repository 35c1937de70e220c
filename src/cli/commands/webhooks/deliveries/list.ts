import type { DeliveryView } from '../../../../client/control-types.ts'
import { truncate } from '../../../../terminal/text-width.ts'
import type { NoArguments, Run } from '../../../command.ts'
import { idColumn, timeColumn } from '../../../output/id-and-time-columns.ts'
import { printPage } from '../../../output/pages.ts'
import type { Column } from '../../../output/table.ts'
import type { LIST_FLAGS } from './flags.ts'
import { answerText } from './view.ts'

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

export const run: Run<NoArguments, typeof LIST_FLAGS> = async ({ flags, session }) => {
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
