import type { NoArguments, NoFlags, Run } from '../../command.ts'
import { printClock } from './view.ts'

export const run: Run<NoArguments, NoFlags> = async ({ session }) => {
  const { client } = await session.target()
  return printClock(session, await client.control.clock.get())
}
