import type { Client } from '../../../client/client.ts'
import type { AdvanceBody } from '../../../client/control-simulator.ts'
import { countOf } from '../../../domain/count-text.ts'
import { formatUtc } from '../../../domain/time-text.ts'
import { sanitizeLine } from '../../../terminal/sanitize.ts'
import type { Run } from '../../command.ts'
import { usageError } from '../../failure.ts'
import { wrapLine } from '../../output/lines.ts'
import { durationText } from '../../parsing/parse.ts'
import type { Session } from '../../session.ts'
import type { ADVANCE_ARGUMENTS, ADVANCE_FLAGS } from '../clock.ts'

export const advance: Run<typeof ADVANCE_ARGUMENTS, typeof ADVANCE_FLAGS> = async ({ args, flags, session }) => {
  const body = bodyOf(args.by, flags.to, flags.until_idle)
  const { out } = session
  const { client, overdueSteps = 0 } = await session.target()
  const notes = noteSlowReceivers(client, session)
  const report = await client.control.clock.advance(body).finally(notes.stop)
  if (out.json) out.document(report)
  else
    out.line(
      wrapLine(
        `now ${formatUtc(report.now)}  ${countOf(report.steps, 'step')}, ${countOf(report.deliveries, 'webhook attempt')}`,
        out.columns,
        '',
      ),
    )
  if (overdueSteps > 0) {
    const ran = countOf(overdueSteps, 'step was overdue and', 'steps were overdue and')
    out.aside(`${ran} ran before, when this command opened ${session.values.data}.`)
  }
  if (report.never !== undefined) {
    out.note(`Not run: ${countOf(report.never, 'step')}, due after the last time that the clock can show.`)
  }
  return 0
}

function bodyOf(by: string | undefined, to: string | undefined, idle: boolean): AdvanceBody {
  const given = [by, to, idle || undefined].filter((value) => value !== undefined)
  if (given.length !== 1) {
    throw usageError('Give exactly one of a duration, --to and --until-idle.', 'psp clock advance 20m')
  }
  if (by !== undefined) return { by: durationText(by) }
  return to === undefined ? { until: 'idle' } : { to }
}

/** ms between two checks. An attempt is slow if it is in flight at two checks. */
const CHECK_INTERVAL = 1000

/** Prints one note for each receiver that delays the command. */
function noteSlowReceivers(client: Client, { host, out }: Session): { stop(): void } {
  const notedUrls = new Set<string>()
  let previous = new Set<string>()
  let stopped = false
  let timer = host.systemClock.setTimeout(check, CHECK_INTERVAL)

  async function check(): Promise<void> {
    const page = await client.control.deliveries.list({ status: 'sending', limit: 20 }).catch(() => undefined)
    if (stopped) return
    const seen = new Set<string>()
    for (const { id, url, attempts } of page?.items ?? []) {
      const attempt = `${id} ${attempts.length}`
      seen.add(attempt)
      if (notedUrls.has(url) || !previous.has(attempt)) continue
      notedUrls.add(url)
      const rule = 'The command waits for each attempt that it started, at most webhook_timeout (default 15s).'
      out.note(out.notePaint.dim(`${sanitizeLine(url)} has not responded yet. ${rule}`))
    }
    previous = seen
    timer = host.systemClock.setTimeout(check, CHECK_INTERVAL)
  }

  return {
    stop() {
      stopped = true
      timer.cancel()
    },
  }
}
