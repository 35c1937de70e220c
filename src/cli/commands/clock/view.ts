import type { ClockView } from '../../../client/clock-wire.ts'
import { formatUtc } from '../../../terminal/time-format.ts'
import { printDetails } from '../../output/details.ts'
import type { Output } from '../../output/output.ts'

export function printClock(out: Output, clock: ClockView): number {
  if (out.json) {
    out.document(clock)
    return 0
  }
  printDetails(out, [
    ['now', formatUtc(clock.now)],
    ['mode', clock.mode === 'scaled' ? `scaled, ${clock.speed} times the speed` : clock.mode],
    ['next due', clock.next_due === null ? 'nothing waits' : formatUtc(clock.next_due)],
  ])
  return 0
}
