import type { NoArguments, NoFlags, Run } from '../../command.ts'
import { printResult } from '../../output/print-result.ts'

export const run: Run<NoArguments, NoFlags> = async ({ session }) => {
  const { client } = await session.target()
  await client.control.rules.clear()
  return await printResult(session.out, { deleted: true }, () => session.out.line('all rules removed'))
}
