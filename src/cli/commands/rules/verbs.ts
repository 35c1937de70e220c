import type { NoArguments, NoFlags, Run } from '../../command.ts'
import { printResult } from '../../output/result.ts'
import { RULE_COLUMNS } from '../../output/rules-and-faults-view.ts'
import { printPage, printTable } from '../../output/table.ts'
import { matchOf, planText } from '../../parsing/parse-plan.ts'
import type { ADD_ARGUMENTS, ADD_FLAGS, LIST_FLAGS, RULE_ID } from '../rules.ts'

export const add: Run<typeof ADD_ARGUMENTS, typeof ADD_FLAGS> = async ({ args, flags, session }) => {
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

export const list: Run<NoArguments, typeof LIST_FLAGS> = async ({ flags, session }) => {
  const { client } = await session.target()
  return await printPage(
    session.out,
    await client.control.rules.list(flags),
    RULE_COLUMNS,
    'No rules. Add one: psp rules add failed --match order_id=42',
  )
}

export const remove: Run<typeof RULE_ID, NoFlags> = async ({ args, session }) => {
  const { client } = await session.target()
  await client.control.rules.remove(args.id)
  return await printResult(session.out, { id: args.id, deleted: true }, ({ id }) =>
    session.out.line(`rule ${id} removed`),
  )
}

export const clear: Run<NoArguments, NoFlags> = async ({ session }) => {
  const { client } = await session.target()
  await client.control.rules.clear()
  return await printResult(session.out, { deleted: true }, () => session.out.line('all rules removed'))
}
