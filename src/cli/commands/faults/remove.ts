import type { NoFlags, Run } from '../../command.ts'
import { printResult } from '../../output/print-result.ts'
import type { FAULT_ID } from './flags.ts'

export const run: Run<typeof FAULT_ID, NoFlags> = async ({ args, session }) => {
  const { client } = await session.target()
  await client.control.faults.remove(args.id)
  return await printResult(session.out, { id: args.id, deleted: true }, ({ id }) =>
    session.out.line(`fault ${id} removed`),
  )
}
