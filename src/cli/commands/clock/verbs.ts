import type { ClockView } from '../../../client/clock-types.ts'
import { clockDistance, describeRealClock } from '../../../domain/clock-description.ts'
import { formatUtc } from '../../../terminal/time-format.ts'
import { MAX_SPEED } from '../../../time/clock.ts'
import type { NoArguments, NoFlags, Run } from '../../command.ts'
import { usage } from '../../failure.ts'
import { printDetails } from '../../output/result.ts'
import { instantText } from '../../parsing/parse.ts'
import type { Session } from '../../session.ts'
import type { FREEZE_ARGUMENTS, SPEED_ARGUMENTS } from '../clock.ts'

export const show: Run<NoArguments, NoFlags> = async ({ session }) => {
  const { client } = await session.target()
  return printClock(session, await client.control.clock.get())
}

export const freeze: Run<typeof FREEZE_ARGUMENTS, NoFlags> = async ({ args, session }) => {
  const now = args.time === undefined ? undefined : instantText(args.time)
  const { client } = await session.target()
  return printClock(session, await client.control.clock.set({ mode: 'frozen', now }))
}

export const resume: Run<NoArguments, NoFlags> = async ({ session }) => {
  const { client } = await session.target()
  return printClock(session, await client.control.clock.set({ mode: 'real' }))
}

export const setSpeed: Run<typeof SPEED_ARGUMENTS, NoFlags> = async ({ args, session }) => {
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

export function printClock({ out, host }: Session, clock: ClockView): number {
  if (out.json) {
    out.document(clock)
    return 0
  }
  printDetails(out, [
    ['now', formatUtc(clock.now)],
    ['mode', modeOf(clock, host.systemClock.now())],
    ['next due', clock.next_due === null ? 'nothing is pending' : formatUtc(clock.next_due)],
  ])
  return 0
}

function modeOf(clock: ClockView, machine: number): string {
  if (clock.mode === 'scaled') return `scaled, ${clock.speed} times the speed`
  return clock.mode === 'frozen' ? 'frozen' : describeRealClock(clockDistance(clock, Date.parse(clock.now), machine))
}
