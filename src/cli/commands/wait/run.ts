import type { Client } from '../../../client/client.ts'
import type { EventView } from '../../../client/control-types.ts'
import { recordTimeout } from '../../../client/wait-timeouts.ts'
import { createEventReader, watchEvents } from '../../../client/watch-events.ts'
import { eventFieldIssue } from '../../../domain/event-fields.ts'
import { matchesEvent, nearMisses } from '../../../domain/event-match.ts'
import { untilAborted } from '../../../domain/promises.ts'
import { formatDuration } from '../../../domain/time.ts'
import { sanitizeText } from '../../../terminal/sanitize.ts'
import type { Run } from '../../command.ts'
import { CliError, usageError } from '../../failure.ts'
import { eventLine, TIME_INDENT, wrapLine } from '../../output/lines.ts'
import { noteClock, warnConnectionLost } from '../../output/notes.ts'
import { expandEvents } from '../../parsing/event-patterns.ts'
import type { Session } from '../../session.ts'
import type { WAIT_ARGUMENTS, WAIT_FLAGS } from '../wait.ts'

const DEFAULT_TIMEOUT = 30_000
/** A healthy server responds within this many ms. With a shorter timeout, a missing response shows no problem. */
const HEALTHY_RESPONSE_TIME = 250

export const run: Run<typeof WAIT_ARGUMENTS, typeof WAIT_FLAGS> = async ({ args, flags, session }) => {
  const names = new Set<string>(expandEvents([args.event]))
  for (const [field] of flags.where) {
    const issue = eventFieldIssue(field, [...names])
    if (issue !== undefined) throw usageError(`--where: ${issue}`, 'Correct the field, or omit --where.')
  }
  const { client, url } = await session.target('none')
  const { out } = session
  const count = flags.count ?? 1
  const timeout = flags.timeout ?? DEFAULT_TIMEOUT
  const seen = new Set<string>()
  const others = new Map<string, EventView>()
  const { found, hasResponse } = await watch(session, client, { timeout, since: flags.since }, (event) => {
    others.set(event.id, event)
    if (seen.has(event.id) || !names.has(event.event) || !matchesEvent(event, flags.where)) return false
    seen.add(event.id)
    if (out.json) out.document(event)
    else out.line(wrapLine(eventLine(event, out.paint), out.columns, TIME_INDENT))
    return seen.size >= count
  })
  if (found) return 0
  for (const id of seen) others.delete(id)
  if (hasResponse)
    for (const line of nearMisses({ names: [...names], where: flags.where }, [...others.values()]))
      out.aside(sanitizeText(line))
  recordTimeout(
    session.host.env,
    `${args.event}${whereText(flags.where)} did not happen within ${formatDuration(timeout)}.`,
  )
  if (!hasResponse && timeout >= HEALTHY_RESPONSE_TIME) {
    const hint = 'Its process may be suspended. `psp doctor` checks it.'
    throw new CliError('timed_out', `${url} did not respond within ${formatDuration(timeout)}.`, hint)
  }
  const progress = count > 1 ? ` ${seen.size} of ${count} happened.` : ''
  throw new CliError(
    'timed_out',
    `${args.event} did not happen within ${formatDuration(timeout)}.${progress}`,
    'Wait longer with --timeout, count earlier events with --since, or see `psp events list`.',
  )
}

function whereText(where: readonly (readonly [field: string, value: string])[]): string {
  const fields = where.map(([field, value]) => `${field}=${value}`)
  return fields.length === 0 ? '' : ` with ${fields.join(' ')}`
}

interface WatchResult {
  /** Whether enough events happened in time. */
  readonly found: boolean
  readonly hasResponse: boolean
}

/** Passes earlier and then new events to `accept`, until it returns true, the time is over or a signal is received. */
async function watch(
  session: Session,
  client: Client,
  { timeout, since }: { timeout: number; since: string | undefined },
  accept: (event: EventView) => boolean,
): Promise<WatchResult> {
  const { host, signals } = session
  const controller = new AbortController()
  const end = () => controller.abort()
  const timer = host.systemClock.setTimeout(end, timeout)
  signals.ended.addEventListener('abort', end, { once: true })
  let enough = false
  let hasResponse = false
  const warnLost = warnConnectionLost(session)
  try {
    await Promise.race([noteClock(client, session, 'sandbox'), untilAborted(controller.signal)])
    const found = await watchEvents(client, {
      timers: host.systemClock,
      signal: controller.signal,
      ...(since === undefined ? {} : { readEarlier: createEventReader(client, { since }) }),
      onEvent: (event) => {
        enough ||= accept(event)
      },
      isDone: () => enough,
      onState: (state) => {
        hasResponse ||= state.state === 'open'
        warnLost(state)
      },
    })
    return { found, hasResponse }
  } finally {
    timer.cancel()
  }
}
