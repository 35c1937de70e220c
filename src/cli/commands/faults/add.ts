import { FAULT_TARGETS, type FaultTarget } from '../../../domain/faults.ts'
import { answer } from '../../answer.ts'
import type { Run } from '../../command.ts'
import { matchOf } from '../../match-flags.ts'
import { oneOf } from '../../parse.ts'
import { FAULT_COLUMNS } from '../../rules-and-faults-view.ts'
import { printTable } from '../../table.ts'
import type { ADD_ARGUMENTS, ADD_FLAGS } from './flags.ts'

export const run: Run<typeof ADD_ARGUMENTS, typeof ADD_FLAGS> = async ({ args, flags, session }) => {
  const target = oneOf(args.target, Object.keys(FAULT_TARGETS) as FaultTarget[])
  const { client } = await session.target()
  const { times, every, probability } = flags
  const fault = await client.control.faults.add({
    target,
    fault: args.fault,
    match: matchOf(flags.match),
    times,
    every,
    probability,
  })
  return await answer(session.out, fault, (added) => printTable(session.out, FAULT_COLUMNS, [added], ''))
}
