import type { ClockView } from '../../../client/control-wire.ts'
import { printDetails } from '../../details.ts'
import type { Output } from '../../output.ts'

export function printClock(out: Output, clock: ClockView): number {
  if (out.json) {
    out.document(clock)
    return 0
  }
  printDetails(out, [
    ['now', clock.now],
    ['mode', clock.mode === 'scaled' ? `scaled, ${clock.speed} times the speed` : clock.mode],
    ['next due', clock.next_due ?? 'nothing waits'],
  ])
  return 0
}
