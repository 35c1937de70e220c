import { stringifyForTerminal } from '../../../terminal/sanitize.ts'
import { formatUtc } from '../../../terminal/time-format.ts'
import type { NoFlags, Run } from '../../command.ts'
import { printDetails } from '../../output/details.ts'
import { printResult } from '../../output/print-result.ts'
import { resolveId } from '../../parsing/resolve-id.ts'
import type { EVENT_ID } from './flags.ts'

export const run: Run<typeof EVENT_ID, NoFlags> = async ({ args, session }) => {
  const { out } = session
  const { client } = await session.target()
  return await printResult(
    out,
    await client.control.events.get(await resolveId(client.control.events.list, args.id)),
    (event) => {
      printDetails(out, [
        ['event', event.id, out.paint.bold],
        ['name', event.event],
        ['object', event.object_id],
        ['created', formatUtc(event.created_at)],
      ])
      out.line(stringifyForTerminal(event.data, 2))
    },
  )
}
