import type { NoArguments, Run } from '../../command.ts'
import { printPage } from '../../output/pages.ts'
import { RULE_COLUMNS } from '../../output/rules-and-faults-view.ts'
import type { LIST_FLAGS } from './flags.ts'

export const run: Run<NoArguments, typeof LIST_FLAGS> = async ({ flags, session }) => {
  const { client } = await session.target()
  return await printPage(
    session.out,
    await client.control.rules.list(flags),
    RULE_COLUMNS,
    'No rules. Add one: psp rules add failed --match order_id=42',
  )
}
