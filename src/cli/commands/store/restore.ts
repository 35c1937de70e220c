import type { NoFlags, Run } from '../../command.ts'
import { printResult } from '../../output/print-result.ts'
import { whileWorking } from '../../output/progress.ts'
import { snapshotName } from '../../parsing/parse-fields.ts'
import { requireOneSandbox } from '../../target/unused-data.ts'
import type { NAME } from './flags.ts'

export const run: Run<typeof NAME, NoFlags> = async ({ args, session }) => {
  const name = snapshotName(args.name)
  await requireOneSandbox(session)
  const { client } = await session.target()
  const reply = await whileWorking(session, `restoring ${name}`, () => client.control.store.restore(name))
  return await printResult(session.out, reply, () => session.out.line(`snapshot ${name} restored`))
}
