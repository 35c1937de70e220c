import type { NoFlags, Run } from '../../command.ts'
import { instantText } from '../../parsing/parse.ts'
import type { FREEZE_ARGUMENTS } from './flags.ts'
import { printClock } from './view.ts'

export const run: Run<typeof FREEZE_ARGUMENTS, NoFlags> = async ({ args, session }) => {
  const now = args.time === undefined ? undefined : instantText(args.time)
  const { client } = await session.target()
  return printClock(session, await client.control.clock.set({ mode: 'frozen', now }))
}
