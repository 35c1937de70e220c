import type { NoFlags, Run } from '../../../command.ts'
import { printResult } from '../../../output/print-result.ts'
import type { ENDPOINT_ID } from './flags.ts'

export const run: Run<typeof ENDPOINT_ID, NoFlags> = async ({ args, session }) => {
  const { client } = await session.target()
  const endpoint = await client.control.endpoints.rotateSecret(args.id)
  return await printResult(session.out, endpoint, ({ secret }) => session.out.line(secret))
}
