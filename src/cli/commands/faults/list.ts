import type { NoArguments, Run } from '../../command.ts'
import { printPage } from '../../output/pages.ts'
import { FAULT_COLUMNS } from '../../output/rules-and-faults-view.ts'
import type { LIST_FLAGS } from './flags.ts'

export const run: Run<NoArguments, typeof LIST_FLAGS> = async ({ flags, session }) => {
  const { client } = await session.target()
  return await printPage(
    session.out,
    await client.control.faults.list(flags),
    FAULT_COLUMNS,
    'No faults. Add one: psp faults add webhook drop --times 1',
  )
}
