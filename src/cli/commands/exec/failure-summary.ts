// Lists what in the sandbox may explain why the command failed.

import type { Client } from '../../../client/client.ts'
import type { DeliveryView, EventView, FaultView, RuleView } from '../../../client/control-types.ts'
import { paginate } from '../../../client/paginate.ts'
import type { RequestView } from '../../../client/request-types.ts'
import { isSuccess } from '../../../domain/http-response.ts'
import { fixForStatus } from '../../../domain/remediation.ts'
import { sanitizeLine, truncateChars } from '../../../terminal/sanitize.ts'

export interface SandboxData {
  readonly events: readonly EventView[]
  readonly deliveries: readonly DeliveryView[]
  /** The request log, newest first. */
  readonly requests: readonly RequestView[]
  readonly rules: readonly RuleView[]
  readonly faults: readonly FaultView[]
  /** Descriptions of waits that timed out in the command. */
  readonly waits: readonly string[]
  readonly clock: { readonly mode: string; readonly now: string; readonly next_due: string | null }
}

export async function collectSandboxData({ control }: Client, waits: readonly string[]): Promise<SandboxData> {
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

const MAX_LINES = 10
const MAX_WIDTH = 200

/** Returns a title and the possible causes, or no lines if there are no causes. */
export function summarizeFailure(data: SandboxData, maxLines = MAX_LINES): string[] {
  const found = [
    ...mergeEqual(data.waits),
    ...failedWebhooks(data),
    ...failedRequests(data),
    ...unusedRulesAndFaults(data),
    ...eventsWithoutReceiver(data),
  ]
  if (found.length === 0) return []
  const lines = [...found, ...frozenClock(data)].map((line) => `  ${truncateChars(sanitizeLine(line), MAX_WIDTH)}`)
  const more = lines.length - (maxLines - 1)
  const shown = more > 0 ? lines.slice(0, maxLines - 2) : lines
  const rest =
    more > 0 ? [`  and ${lines.length - shown.length} more: psp exec --report DIR writes everything to files`] : []
  return ['Possible causes in the sandbox:', ...shown, ...rest]
}

function failedWebhooks({ deliveries }: SandboxData): string[] {
  return mergeEqual(
    deliveries.flatMap(({ event, url, attempts }) =>
      attempts
        .filter(({ status }) => !isSuccess(status))
        .map(({ status, error, fault }) => {
          const by = fault === undefined ? '' : ` The fault ${fault} was applied.`
          return status === null || status === undefined
            ? `${event}: ${error ?? `no response from ${url}.`}${by}`
            : `${event} got ${status} from ${url}. ${by === '' ? fixForStatus(status) : by.trim()}`
        }),
    ),
  )
}

function failedRequests({ requests }: SandboxData): string[] {
  return mergeEqual(
    requests
      .filter(({ status }) => status >= 400)
      .reverse()
      .map((request) => {
        const { method, path, status, code, decided_by } = request
        const by = decided_by === null || decided_by === undefined ? '' : ` (by ${decided_by})`
        const result = code === undefined || code === null ? status : `${status} ${code}`
        return `${method} ${withoutIds(path)} returned ${result}${by}${messageOf(request)}`
      }),
  )
}

/** A typo in `match` makes a rule that never applies, with no other symptom. */
function unusedRulesAndFaults({ rules, faults }: SandboxData): string[] {
  return [
    ...rules
      .filter(isUnused)
      .map(({ id, plan, match }) => `Rule ${id} (${String(plan)}) never applied${matchText(match)}`),
    ...faults
      .filter(isUnused)
      .map(({ id, target, fault, match }) => `Fault ${id} (${target} ${fault}) never applied${matchText(match)}`),
  ]
}

/** Without an endpoint, a payment ends normally, but the application gets no webhook. */
function eventsWithoutReceiver({ events, deliveries }: SandboxData): string[] {
  const sent = new Set(deliveries.map(({ event_id }) => event_id))
  const names = mergeEqual(events.filter(({ id }) => !sent.has(id)).map(({ event }) => event))
  if (names.length === 0) return []
  return [`No endpoint receives ${names.join(', ')}. Add --endpoint URL, or set webhook_url on the payment.`]
}

/** A frozen clock is the usual cause of a wait that timed out. */
function frozenClock({ clock: { mode, now, next_due } }: SandboxData): string[] {
  if (mode !== 'frozen' || next_due === null) return []
  return [`The clock is frozen at ${now}; the next step is due at ${next_due}.`]
}

const isUnused = ({ applied }: { readonly applied?: number }) => applied === 0

function matchText(match: RuleView['match']): string {
  const fields = Object.entries(match ?? {}).map(([field, value]) => `${field}=${value}`)
  return fields.length === 0 ? '.' : `: nothing matched ${fields.join(' ')}.`
}

/** Replaces ids in the path and removes the query, so that equal requests are counted together. */
function withoutIds(path: string): string {
  return path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/gi, '{id}').replace(/\?.*/, '')
}

function messageOf({ response }: RequestView): string {
  const message = /"message":("(?:[^"\\]|\\.)*")/.exec(response?.body ?? '')?.[1]
  return message === undefined ? '.' : `: ${String(JSON.parse(message))}`
}

function mergeEqual(lines: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1)
  return [...counts].map(([line, count]) => (count === 1 ? line : `${count} x ${line}`))
}
