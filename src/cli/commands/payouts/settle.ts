import { FAILURE_CODE_NAMES } from '../../../domain/failure-codes.ts'
import type { NoFlags, Run } from '../../command.ts'
import { answer } from '../../output/answer.ts'
import { requireOrder } from '../../parsing/argument-order.ts'
import { oneOf } from '../../parsing/parse.ts'
import { wholeId } from '../../parsing/whole-id.ts'
import type { SETTLE_ARGUMENTS } from './flags.ts'
import { printPayout } from './view.ts'

export const run: Run<typeof SETTLE_ARGUMENTS, NoFlags> = async ({ args, session }) => {
  requireOrder('psp payouts settle', [args.id, args.result], (text) => /^(succeeded|failed)(:|$)/.test(text))
  const [word = '', code] = args.result.split(':', 2)
  const status = oneOf(word, ['succeeded', 'failed'])
  const failure_code = code === undefined ? undefined : oneOf(code, FAILURE_CODE_NAMES)
  const { client } = await session.target()
  const id = await wholeId(client.control.lists.payouts, args.id)
  const payout = await client.control.act.payout(id, { action: 'settle', status, failure_code })
  return await answer(session.out, payout, (settled) => printPayout(session.out, settled))
}
