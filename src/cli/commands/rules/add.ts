import type { Run } from '../../command.ts'
import { printResult } from '../../output/print-result.ts'
import { RULE_COLUMNS } from '../../output/rules-and-faults-view.ts'
import { printTable } from '../../output/table.ts'
import { matchOf, planText } from '../../parsing/parse-plan.ts'
import type { ADD_ARGUMENTS, ADD_FLAGS } from './flags.ts'

export const run: Run<typeof ADD_ARGUMENTS, typeof ADD_FLAGS> = async ({ args, flags, session }) => {
  const plans = args.plan.split(',').map((plan) => planText(plan.trim()))
  const match = matchOf(flags.match)
  const { client } = await session.target()
  const rule = await client.control.rules.add({
    match,
    plan: plans.length === 1 ? (plans[0] as string) : plans,
    times: flags.times,
    every: flags.every,
  })
  return await printResult(session.out, rule, (added) => printTable(session.out, RULE_COLUMNS, [added], ''))
}
