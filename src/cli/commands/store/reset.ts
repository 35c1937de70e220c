import type { NoArguments, Run } from '../../command.ts'
import { printResult } from '../../output/print-result.ts'
import { requireOneSandbox } from '../../target/unused-data.ts'
import type { RESET_FLAGS } from './flags.ts'

export const run: Run<NoArguments, typeof RESET_FLAGS> = async ({ flags, session }) => {
  await requireOneSandbox(session)
  const { client } = await session.target()
  const reply = await client.control.store.reset(flags.all ? { all: true } : undefined)
  return await printResult(session.out, reply, () => session.out.line(flags.all ? 'reset completely' : 'reset'))
}
