import type { FaultView } from '../../../client/control-types.ts'
import { FAULT_TARGETS } from '../../../domain/faults.ts'
import type { NoArguments, NoFlags, Run } from '../../command.ts'
import { printResult } from '../../output/result.ts'
import { type Column, printTable } from '../../output/table.ts'
import type { PAGE_FLAGS } from '../../parsing/common-flags.ts'
import { faultTarget, faultText, matchOf } from '../../parsing/parse-plan.ts'
import { requireOrder } from '../../parsing/parser-errors.ts'
import { deleteSubcommand, listSubcommand, resultSubcommand } from '../../subcommand.ts'
import type { ADD_ARGUMENTS, ADD_FLAGS } from '../faults.ts'
import { COUNT_COLUMNS } from '../rules/subcommands.ts'

const COLUMNS: readonly Column<FaultView>[] = [
  { title: 'fault', cell: ({ id }) => id },
  { title: 'target', cell: ({ target }) => target },
  { title: 'what', cell: ({ fault }) => fault },
  ...COUNT_COLUMNS,
  { title: 'chance', cell: ({ probability }) => probability, right: true },
]

export const add: Run<typeof ADD_ARGUMENTS, typeof ADD_FLAGS> = async ({ args, flags, session }) => {
  requireOrder('psp faults add', [args.target, args.fault], (text) => !Object.hasOwn(FAULT_TARGETS, text))
  const target = faultTarget(args.target)
  const match = matchOf(flags.match, target)
  const fault = faultText(target, args.fault)
  const { client } = await session.target()
  const { times, every, probability } = flags
  const row = await client.control.faults.add({ target, fault, match, times, every, probability })
  return await printResult(session.out, row, () => printTable(session.out, COLUMNS, [row], ''))
}

export const list: Run<NoArguments, typeof PAGE_FLAGS> = listSubcommand(
  ({ control }, { flags }) => control.faults.list(flags),
  COLUMNS,
  'No faults. Add one: psp faults add webhook drop --times 1',
)

export const remove = deleteSubcommand('fault', 'removed', ({ control }, id) => control.faults.remove(id))

export const clear: Run<NoArguments, NoFlags> = resultSubcommand(
  async ({ control }) => {
    await control.faults.clear()
    return { deleted: true }
  },
  (out) => out.line('all faults removed'),
)
