import { answer } from '../../answer.ts'
import type { NoFlags, Run } from '../../command.ts'
import type { PAYOUT_ID } from './flags.ts'
import { printPayout } from './view.ts'

export const run: Run<typeof PAYOUT_ID, NoFlags> = async ({ args, session }) => {
  const { client } = await session.target()
  return await answer(session.out, await client.payouts.get(args.id), (payout) => printPayout(session.out, payout))
}
