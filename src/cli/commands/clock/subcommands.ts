import type { ClockView } from '../../../client/clock-types.ts'
import type { ClockBody } from '../../../client/control-simulator.ts'
import { quoteText } from '../../../domain/characters.ts'
import { clockDistance, describeRealClock } from '../../../domain/clock-description.ts'
import { formatUtc } from '../../../domain/time-text.ts'
import { MAX_SPEED } from '../../../time/clock.ts'
import type { NoArguments, NoFlags, Run } from '../../command.ts'
import { usageError } from '../../failure.ts'
import { printDetails, printResult } from '../../output/result.ts'
import { instantText } from '../../parsing/parse.ts'
import type { Session } from '../../session.ts'
import { resultSubcommand } from '../../subcommand.ts'
import type { FREEZE_ARGUMENTS, SPEED_ARGUMENTS } from '../clock.ts'

export const show: Run<NoArguments, NoFlags> = resultSubcommand(
  ({ control }) => control.clock.get(),
  (_, clock, { session }) => printClock(session, clock),
)

export const freeze: Run<typeof FREEZE_ARGUMENTS, NoFlags> = async ({ args, session }) =>
  await setClock(session, { mode: 'frozen', now: args.time === undefined ? undefined : instantText(args.time) })

export const resume: Run<NoArguments, NoFlags> = async ({ session }) => await setClock(session, { mode: 'real' })

export const setSpeed: Run<typeof SPEED_ARGUMENTS, NoFlags> = async ({ args: { factor }, session }) => {
  const speed = Number(factor.replace(/^x/, ''))
  if (!(speed > 0 && speed <= MAX_SPEED)) {
    throw usageError(
      `${quoteText(factor)} is not a speed.`,
      `Give a number above 0 and up to ${MAX_SPEED}, such as 60.`,
    )
  }
  return await setClock(session, { mode: 'scaled', speed })
}

async function setClock(session: Session, body: ClockBody): Promise<number> {
  const { client } = await session.target()
  return await printResult(session.out, await client.control.clock.set(body), (clock) => printClock(session, clock))
}

function printClock({ out, host }: Session, clock: ClockView): void {
  printDetails(out, [
    ['now', formatUtc(clock.now)],
    ['mode', modeOf(clock, host.systemClock.now())],
    ['next due', clock.next_due === null ? 'nothing is pending' : formatUtc(clock.next_due)],
  ])
}

function modeOf(clock: ClockView, systemNow: number): string {
  if (clock.mode === 'scaled') return `scaled, ${clock.speed} times normal speed`
  return clock.mode === 'frozen' ? 'frozen' : describeRealClock(clockDistance(clock, Date.parse(clock.now), systemNow))
}
