// After a command that failed, its sandbox is gone in a moment: what of it explains the failure, in few lines.
import type { Client } from '../../../client/client.ts'
import type { DeliveryView, EventView, FaultView, RuleView } from '../../../client/control-types.ts'
import { paginate } from '../../../client/paginate.ts'
import type { RequestView } from '../../../client/request-types.ts'
import { fixForStatus } from '../../../domain/remediation.ts'
import { sanitizeLine } from '../../../terminal/sanitize.ts'

/** What the sandbox knows of a run. */
export interface Told {
  readonly events: readonly EventView[]
  readonly deliveries: readonly DeliveryView[]
  /** Newest first, as many as the log keeps. */
  readonly requests: readonly RequestView[]
  readonly rules: readonly RuleView[]
  readonly faults: readonly FaultView[]
  /** Those that timed out in the command, in words. */
  readonly waits: readonly string[]
  readonly clock: { readonly mode: string; readonly now: string; readonly next_due: string | null }
}

export async function toldBy({ control }: Client, waits: readonly string[]): Promise<Told> {
  const [events, deliveries, requests, rules, faults, clock] = await Promise.all([
    paginate(control.events.list),
    paginate(control.deliveries.list),
    paginate((query) => control.requests({ ...query })),
    paginate(control.rules.list),
    paginate(control.faults.list),
    control.clock.get(),
  ])
  return { events, deliveries, requests, rules, faults, waits, clock }
}

const LINES = 10
const WIDTH = 200

/** Nothing where nothing stood out; else a title, and lines below it. @param most lines in all */
export function standsOut(told: Told, most = LINES): string[] {
  const found = [
    ...counted(told.waits),
    ...refusedWebhooks(told),
    ...refusedRequests(told),
    ...neverApplied(told),
    ...toNobody(told),
  ]
  if (found.length === 0) return []
  const lines = [...found, ...standingClock(told)].map((line) => `  ${clipped(sanitizeLine(line))}`)
  const more = lines.length - (most - 1)
  const shown = more > 0 ? lines.slice(0, most - 2) : lines
  const rest = more > 0 ? [`  and ${lines.length - shown.length} more: psp exec --report DIR keeps everything`] : []
  return ['What stood out in the sandbox:', ...shown, ...rest]
}

function refusedWebhooks({ deliveries }: Told): string[] {
  return counted(
    deliveries.flatMap(({ event, url, attempts }) =>
      attempts
        .filter(({ status }) => !isDelivered(status))
        .map(({ status, error, fault }) => {
          const by = fault === undefined ? '' : ` The fault ${fault} changed it.`
          return status === null || status === undefined
            ? `${event}: ${error ?? `no answer from ${url}.`}${by}`
            : `${event} was answered ${status} by ${url}. ${by === '' ? fixForStatus(status) : by.trim()}`
        }),
    ),
  )
}

function refusedRequests({ requests }: Told): string[] {
  return counted(
    requests
      .filter(({ status }) => status >= 400)
      .reverse()
      .map((request) => {
        const { method, path, status, code, decided_by } = request
        const by = decided_by === null || decided_by === undefined ? '' : ` (by ${decided_by})`
        return `${method} ${alike(path)} was answered ${status} ${code ?? ''}${by}${messageOf(request)}`
      }),
  )
}

/** A slip in `match` makes a rule that never applies, and nothing else tells. */
function neverApplied({ rules, faults }: Told): string[] {
  return [
    ...rules.filter(isIdle).map(({ id, plan, match }) => `Rule ${id} (${String(plan)}) never applied${why(match)}`),
    ...faults
      .filter(isIdle)
      .map(({ id, target, fault, match }) => `Fault ${id} (${target} ${fault}) never applied${why(match)}`),
  ]
}

/** A payment without an endpoint ends as one with it; only the application hears nothing. */
function toNobody({ events, deliveries }: Told): string[] {
  const sent = new Set(deliveries.map(({ event_id }) => event_id))
  const names = counted(events.filter(({ id }) => !sent.has(id)).map(({ event }) => event))
  if (names.length === 0) return []
  return [`No endpoint takes ${names.join(', ')}: give --endpoint URL, or a payment its webhook_url.`]
}

/** The usual cause of a wait that timed out. */
function standingClock({ clock: { mode, now, next_due } }: Told): string[] {
  if (mode !== 'frozen' || next_due === null) return []
  return [`The clock stands still at ${now}; the next step is due at ${next_due}.`]
}

const isDelivered = (status: number | null | undefined) =>
  status !== null && status !== undefined && status >= 200 && status < 300

const isIdle = ({ applied }: { readonly applied?: number }) => applied === 0

function why(match: RuleView['match']): string {
  const fields = Object.entries(match ?? {}).map(([field, value]) => `${field}=${value}`)
  return fields.length === 0 ? '.' : `: nothing came with ${fields.join(' ')}.`
}

/** Ids of one kind of request would make a line of each. */
function alike(path: string): string {
  return path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/gi, '{id}').replace(/\?.*/, '')
}

function messageOf({ response }: RequestView): string {
  const message = /"message":("(?:[^"\\]|\\.)*")/.exec(response?.body ?? '')?.[1]
  return message === undefined ? '.' : `: ${String(JSON.parse(message))}`
}

/** Equal lines are one, with how often it was. */
function counted(lines: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1)
  return [...counts].map(([line, count]) => (count === 1 ? line : `${count} x ${line}`))
}

function clipped(line: string): string {
  return line.length > WIDTH ? `${line.slice(0, WIDTH - 1)}…` : line
}
