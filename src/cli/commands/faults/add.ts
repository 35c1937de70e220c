import { FAULT_TARGETS } from '../../../domain/faults.ts'
import type { Run } from '../../command.ts'
import { printResult } from '../../output/print-result.ts'
import { FAULT_COLUMNS } from '../../output/rules-and-faults-view.ts'
import { printTable } from '../../output/table.ts'
import { requireOrder } from '../../parsing/argument-order.ts'
import { faultTarget, faultText, matchOf } from '../../parsing/parse-plan.ts'
import type { ADD_ARGUMENTS, ADD_FLAGS } from './flags.ts'

export const run: Run<typeof ADD_ARGUMENTS, typeof ADD_FLAGS> = async ({ args, flags, session }) => {
  requireOrder('psp faults add', [args.target, args.fault], (text) => !Object.hasOwn(FAULT_TARGETS, text))
  const target = faultTarget(args.target)
  const match = matchOf(flags.match, target)
  const named = faultText(target, args.fault)
  const { client } = await session.target()
  const { times, every, probability } = flags
  const fault = await client.control.faults.add({
    target,
    fault: named,
    match,
    times,
    every,
    probability,
  })
  return await printResult(session.out, fault, (added) => printTable(session.out, FAULT_COLUMNS, [added], ''))
}
