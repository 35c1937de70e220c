import type { AdvanceBody } from '../../../client/control-simulator.ts'
import { formatUtc } from '../../../terminal/time-format.ts'
import type { Run } from '../../command.ts'
import { usage } from '../../failure.ts'
import { durationText } from '../../parsing/parse.ts'
import type { ADVANCE_ARGUMENTS, ADVANCE_FLAGS } from './flags.ts'
import { remarkWaits } from './slow-delivery-warnings.ts'

export const run: Run<typeof ADVANCE_ARGUMENTS, typeof ADVANCE_FLAGS> = async ({ args, flags, session }) => {
  const body = bodyOf(args.by, flags.to, flags.until_idle)
  const { out } = session
  const { client } = await session.target()
  const remarks = remarkWaits(client, session)
  const report = await client.control.clock.advance(body).finally(remarks.stop)
  if (out.json) out.document(report)
  else
    out.line(
      `now ${formatUtc(report.now)}  ${count(report.steps, 'step')}, ${count(report.deliveries, 'webhook attempt')}`,
    )
  if (report.never !== undefined) {
    out.note(`${count(report.never, 'step')} left: due after the last time the clock can show, so not run.`)
  }
  return 0
}

function bodyOf(by: string | undefined, to: string | undefined, idle: boolean): AdvanceBody {
  const given = [by, to, idle || undefined].filter((value) => value !== undefined)
  if (given.length !== 1) {
    throw usage('Give exactly one of a duration, --to and --until-idle.', 'psp clock advance 20m')
  }
  if (by !== undefined) return { by: durationText(by) }
  return to === undefined ? { until: 'idle' } : { to }
}

function count(value: number, what: string): string {
  return `${value} ${what}${value === 1 ? '' : 's'}`
}
