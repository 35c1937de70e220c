import type { NoFlags, Run } from '../../command.ts'
import { answer } from '../../output/answer.ts'
import { wholeId } from '../../parsing/whole-id.ts'
import type { PAYOUT_ID } from './flags.ts'
import { printPayout } from './view.ts'

export const run: Run<typeof PAYOUT_ID, NoFlags> = async ({ args, session }) => {
  const { client } = await session.target()
  const id = await wholeId(client.control.lists.payouts, args.id)
  return await answer(session.out, await client.payouts.get(id), (payout) => printPayout(session.out, payout))
}
