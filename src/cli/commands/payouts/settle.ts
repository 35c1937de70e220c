import { FAILURE_CODE_NAMES } from '../../../domain/failure-codes.ts'
import type { NoFlags, Run } from '../../command.ts'
import { printResult } from '../../output/print-result.ts'
import { requireOrder } from '../../parsing/argument-order.ts'
import { oneOf } from '../../parsing/parse.ts'
import { resolveId } from '../../parsing/resolve-id.ts'
import type { SETTLE_ARGUMENTS } from './flags.ts'
import { printPayout } from './view.ts'

export const run: Run<typeof SETTLE_ARGUMENTS, NoFlags> = async ({ args, session }) => {
  requireOrder('psp payouts settle', [args.id, args.result], (text) => /^(succeeded|failed)(:|$)/.test(text))
  const [word = '', code] = args.result.split(':', 2)
  const status = oneOf(word, ['succeeded', 'failed'])
  const failure_code = code === undefined ? undefined : oneOf(code, FAILURE_CODE_NAMES)
  const { client } = await session.target()
  const id = await resolveId(client.control.lists.payouts, args.id)
  const payout = await client.control.act.payout(id, { action: 'settle', status, failure_code })
  return await printResult(session.out, payout, (settled) => printPayout(session.out, settled))
}
