import { MAX_SPEED } from '../../../time/clock.ts'
import type { NoFlags, Run } from '../../command.ts'
import { usage } from '../../failure.ts'
import type { SPEED_ARGUMENTS } from './flags.ts'
import { printClock } from './view.ts'

export const run: Run<typeof SPEED_ARGUMENTS, NoFlags> = async ({ args, session }) => {
  const speed = Number(args.factor.replace(/^x/, ''))
  if (!(speed > 0 && speed <= MAX_SPEED)) {
    throw usage(
      `${JSON.stringify(args.factor)} is not a speed.`,
      `Give a number above 0 and up to ${MAX_SPEED}, such as 60.`,
    )
  }
  const { client } = await session.target()
  return printClock(session, await client.control.clock.set({ mode: 'scaled', speed }))
}
