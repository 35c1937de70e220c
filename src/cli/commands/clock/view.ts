import type { ClockView } from '../../../client/clock-types.ts'
import { clockDistance, describeRealClock } from '../../../domain/clock-description.ts'
import { formatUtc } from '../../../terminal/time-format.ts'
import { printDetails } from '../../output/details.ts'
import type { Session } from '../../session.ts'

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
