import type { NoFlags, Run } from '../../command.ts'
import { printResult } from '../../output/print-result.ts'
import { whileWorking } from '../../output/progress.ts'
import { snapshotName } from '../../parsing/parse-fields.ts'
import type { NAME } from './flags.ts'

export const run: Run<typeof NAME, NoFlags> = async ({ args, session }) => {
  const name = snapshotName(args.name)
  const { client } = await session.target()
  const reply = await whileWorking(session, `saving ${name}`, () => client.control.store.snapshot(name))
  return await printResult(session.out, reply, () => session.out.line(`snapshot ${name} taken`))
}
