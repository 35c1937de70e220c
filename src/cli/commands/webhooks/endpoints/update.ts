import type { Run } from '../../../command.ts'
import { usage } from '../../../failure.ts'
import { printResult } from '../../../output/print-result.ts'
import { expandEvents } from '../../../parsing/event-patterns.ts'
import type { ENDPOINT_ID, UPDATE_FLAGS } from './flags.ts'
import { printEndpoint } from './view.ts'

export const run: Run<typeof ENDPOINT_ID, typeof UPDATE_FLAGS> = async ({ args, flags, session }) => {
  const change = {
    url: flags.to,
    events: flags.events.length === 0 ? undefined : expandEvents(flags.events),
    signature: flags.signature,
    active: flags.active === undefined ? undefined : flags.active === 'on',
  }
  if (Object.values(change).every((value) => value === undefined)) {
    throw usage('Nothing to change.', 'Give --to, --events, --signature or --active.')
  }
  const { client } = await session.target()
  const endpoint = await client.control.endpoints.update(args.id, change)
  return await printResult(session.out, endpoint, (changed) => printEndpoint(session.out, changed))
}
