import type { NoFlags, Run } from '../../command.ts'
import { printResult } from '../../output/print-result.ts'
import { resolveId } from '../../parsing/resolve-id.ts'
import type { PAYOUT_ID } from './flags.ts'
import { printPayout } from './view.ts'

export const run: Run<typeof PAYOUT_ID, NoFlags> = async ({ args, session }) => {
  const { client } = await session.target()
  const id = await resolveId(client.control.lists.payouts, args.id)
  return await printResult(session.out, await client.payouts.get(id), (payout) => printPayout(session.out, payout))
}
