import type { NoFlags, Run } from '../../command.ts'
import { printResult } from '../../output/print-result.ts'
import type { KEY_ID } from './flags.ts'

export const run: Run<typeof KEY_ID, NoFlags> = async ({ args, session }) => {
  const { client } = await session.target()
  await client.control.keys.revoke(args.id)
  return await printResult(session.out, { id: args.id, revoked: true }, ({ id }) =>
    session.out.line(`key ${id} revoked`),
  )
}
