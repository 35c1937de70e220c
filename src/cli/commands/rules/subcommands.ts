import type { RuleView } from '../../../client/control-types.ts'
import type { NoArguments, NoFlags, Run } from '../../command.ts'
import { printResult } from '../../output/result.ts'
import { type Column, printTable } from '../../output/table.ts'
import type { PAGE_FLAGS } from '../../parsing/common-flags.ts'
import { matchOf, planText } from '../../parsing/parse-plan.ts'
import { deleteSubcommand, listSubcommand, resultSubcommand } from '../../subcommand.ts'
import type { ADD_ARGUMENTS, ADD_FLAGS } from '../rules.ts'

type Counted = Pick<RuleView, 'id' | 'match' | 'times' | 'every' | 'matched' | 'applied'>

/** The columns that rules and faults share. */
export const COUNT_COLUMNS: readonly Column<Counted>[] = [
  { title: 'left', cell: ({ times }) => (times === 0 ? 'spent' : (times ?? 'always')), right: true },
  {
    title: 'match',
    cell: ({ match = {} }) =>
      Object.entries(match)
        .map(([field, value]) => `${field}=${value}`)
        .join(' '),
    minWidth: 10,
  },
  { title: 'every', cell: ({ every }) => every, right: true },
  { title: 'matched', cell: ({ matched }) => matched, right: true },
  { title: 'applied', cell: ({ applied }) => applied, right: true },
]

const COLUMNS: readonly Column<RuleView>[] = [
  { title: 'rule', cell: ({ id }) => id },
  { title: 'plan', cell: ({ plan }) => (typeof plan === 'string' ? plan : plan.join(', ')) },
  ...COUNT_COLUMNS,
]

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
  return await printResult(session.out, rule, (added) => printTable(session.out, COLUMNS, [added], ''))
}

export const list: Run<NoArguments, typeof PAGE_FLAGS> = listSubcommand(
  ({ control }, { flags }) => control.rules.list(flags),
  COLUMNS,
  'No rules. Add one: psp rules add failed --match order_id=42',
)

export const remove = deleteSubcommand('rule', 'removed', ({ control }, id) => control.rules.remove(id))

export const clear: Run<NoArguments, NoFlags> = resultSubcommand(
  async ({ control }) => {
    await control.rules.clear()
    return { deleted: true }
  },
  (out) => out.line('all rules removed'),
)
