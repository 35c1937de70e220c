import { FAULT_TARGETS } from '../../../domain/faults.ts'
import type { NoArguments, NoFlags, Run } from '../../command.ts'
import { printResult } from '../../output/result.ts'
import { FAULT_COLUMNS } from '../../output/rules-and-faults-view.ts'
import { printPage, printTable } from '../../output/table.ts'
import { faultTarget, faultText, matchOf } from '../../parsing/parse-plan.ts'
import { requireOrder } from '../../parsing/usage-error.ts'
import type { ADD_ARGUMENTS, ADD_FLAGS, FAULT_ID, LIST_FLAGS } from '../faults.ts'

export const add: Run<typeof ADD_ARGUMENTS, typeof ADD_FLAGS> = async ({ args, flags, session }) => {
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

export const list: Run<NoArguments, typeof LIST_FLAGS> = async ({ flags, session }) => {
  const { client } = await session.target()
  return await printPage(
    session.out,
    await client.control.faults.list(flags),
    FAULT_COLUMNS,
    'No faults. Add one: psp faults add webhook drop --times 1',
  )
}

export const remove: Run<typeof FAULT_ID, NoFlags> = async ({ args, session }) => {
  const { client } = await session.target()
  await client.control.faults.remove(args.id)
  return await printResult(session.out, { id: args.id, deleted: true }, ({ id }) =>
    session.out.line(`fault ${id} removed`),
  )
}

export const clear: Run<NoArguments, NoFlags> = async ({ session }) => {
  const { client } = await session.target()
  await client.control.faults.clear()
  return await printResult(session.out, { deleted: true }, () => session.out.line('all faults removed'))
}
