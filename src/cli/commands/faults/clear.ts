import type { NoArguments, NoFlags, Run } from '../../command.ts'
import { answer } from '../../output/answer.ts'

export const run: Run<NoArguments, NoFlags> = async ({ session }) => {
  const { client } = await session.target()
  await client.control.faults.clear()
  return await answer(session.out, { deleted: true }, () => session.out.line('all faults removed'))
}
