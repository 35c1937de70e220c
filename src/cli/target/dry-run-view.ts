// Prints the result of `--dry-run`: the requests, and the effects of those that the server simulated.
import type { Client } from '../../client/client.ts'
import { paginate } from '../../client/paginate.ts'
import { formatMoney } from '../../domain/currency.ts'
import { refundableAmount } from '../../domain/refund.ts'
import { sanitizeLine, stringifyForTerminal } from '../../terminal/sanitize.ts'
import { wrapProse } from '../output/lines.ts'
import type { Session } from '../session.ts'
import type { PlannedRequest } from './dry-run.ts'

/** With `--json`: `{dry_run: true, requests: [{method, url, headers, body, response}], remarks: [text]}`. */
export async function printDryRun(session: Session): Promise<void> {
  const { out, dryRun } = session
  if (dryRun === undefined) return
  const { client, kind } = await session.target()
  const remarks = [...dryRun.remarks]
  for (const request of dryRun.planned) remarks.push(...(await previewEffects(request, client)))
  const requests = dryRun.planned
  if (out.json) {
    out.document({ dry_run: true, requests, remarks })
    return
  }
  for (const { method, url, headers, body } of requests) {
    // The URLs of an embedded sandbox have no meaning outside this process.
    out.line(`${out.paint.bold(method)} ${sanitizeLine(kind === 'embedded' ? pathOf(url) : url)}`)
    for (const [name, value] of Object.entries(headers)) out.line(sanitizeLine(`${name}: ${value}`))
    if (body !== undefined) out.line(typeof body === 'string' ? sanitizeLine(body) : stringifyForTerminal(body, 2))
  }
  for (const remark of remarks) out.line(wrapProse(sanitizeLine(remark), out.columns, ''))
  const isSimulated = requests.every(({ response }) => response !== undefined)
  out.note(out.notePaint.dim(isSimulated ? 'Dry run: nothing was changed.' : NOT_SIMULATED))
}

const NOT_SIMULATED = 'Dry run: the request was not sent. The server has no dry run for it, so the result is unknown.'

function pathOf(url: string): string {
  const { pathname, search } = new URL(url)
  return `${pathname}${search}`
}

interface PreviewContext {
  readonly id: string
  readonly client: Client
  readonly request: PlannedRequest
}

type Preview = (seen: PreviewContext) => Promise<readonly string[]>

/** Previews by method and path. The first group of the pattern is the id. */
const PREVIEWS: readonly (readonly [route: RegExp, preview: Preview])[] = [
  [/^POST .*\/payments\/([^/]+)\/refunds?$/, previewRefund],
  [/^POST \/_psp\/events\/([^/]+)\/replay$/, previewReplay],
  [/^POST \/_psp\/deliveries\/([^/]+)\/retry$/, previewRetry],
  [/^POST \/_psp\/trigger$/, previewTrigger],
  [/^POST \/_psp\/reset$/, previewReset],
  [
    /^POST \/_psp\/snapshots\/([^/]+)\/restore$/,
    async ({ id, request }) => [`Would restore snapshot ${id}.`, ...replacedRows(request)],
  ],
  [
    /^PUT \/_psp\/import$/,
    async ({ request }) => [rowCounts('Would import', request, 'would_import'), ...replacedRows(request)],
  ],
  [/^DELETE \/_psp\/snapshots\/([^/]+)$/, async ({ id }) => [`Would delete snapshot ${id}.`]],
  [
    /^DELETE \/_psp\/rules(?:\/([^/]+))?$/,
    async ({ id, client }) => previewRemoval('rule', id, await paginate(client.control.rules.list)),
  ],
  [
    /^DELETE \/_psp\/faults(?:\/([^/]+))?$/,
    async ({ id, client }) => previewRemoval('fault', id, await paginate(client.control.faults.list)),
  ],
  [/^DELETE \/_psp\/endpoints\/([^/]+)$/, previewEndpointDeletion],
  [/^DELETE \/_psp\/keys\/([^/]+)$/, previewKeyRevocation],
]

/** Returns lines about the effects; none if the server did not simulate the request. */
async function previewEffects(request: PlannedRequest, client: Client): Promise<readonly string[]> {
  if (request.response === undefined) return []
  const line = `${request.method} ${new URL(request.url).pathname}`
  for (const [route, preview] of PREVIEWS) {
    const found = route.exec(line)
    if (found !== null) return await preview({ id: decodeURIComponent(found[1] ?? ''), client, request })
  }
  return []
}

async function previewRefund({ id, client }: PreviewContext): Promise<readonly string[]> {
  const { currency, status, ...payment } = await client.payments.get(id)
  const money = (value: number) => formatMoney(value, currency)
  const left = money(refundableAmount(payment, payment.refunds))
  return [`Payment ${id} is ${status}; ${left} of its ${money(payment.amount)} is left to refund.`]
}

async function previewRetry({ id, client }: PreviewContext): Promise<readonly string[]> {
  const { event_id, event, url, status } = await client.control.deliveries.get(id)
  return [`${id}  ${event}  ${event_id}  to ${sanitizeLine(url)}  (${status})`]
}

async function previewReplay({ id, client }: PreviewContext): Promise<readonly string[]> {
  const { event, object_id, created_at } = await client.control.events.get(id)
  return [`${id}  ${event}  ${object_id}  ${created_at}`]
}

async function previewTrigger({ request }: PreviewContext): Promise<readonly string[]> {
  return [`Would trigger ${(request.body as { readonly event?: string }).event}.`]
}

async function previewReset({ request }: PreviewContext): Promise<readonly string[]> {
  const all = (request.body as { readonly all?: unknown } | undefined)?.all === true
  return [
    rowCounts('Would clear', request, 'would_replace'),
    ...(all ? ['Would also restore shops, keys, endpoints, settings and the clock.'] : []),
    ...(responseOf(request)['would_apply_seed'] === true ? ['Would apply the seed again.'] : []),
  ]
}

const replacedRows = (request: PlannedRequest) => [rowCounts('Would replace', request, 'would_replace')]

async function previewEndpointDeletion({ id, client }: PreviewContext): Promise<readonly string[]> {
  for (const shop of await shopsOf(client)) {
    const found = (await paginate((page) => client.control.endpoints.list(shop, page))).find(
      (endpoint) => endpoint.id === id,
    )
    if (found !== undefined)
      return [`Would delete the endpoint of shop ${shop} at ${found.url}; its pending retries would stop.`]
  }
  return []
}

async function previewKeyRevocation({ id, client }: PreviewContext): Promise<readonly string[]> {
  for (const shop of await shopsOf(client)) {
    const found = (await paginate((page) => client.control.keys.list(shop, page))).find((key) => key.id === id)
    if (found !== undefined)
      return [`Would revoke a ${found.mode} key of shop ${shop}; requests with it would get 401.`]
  }
  return []
}

async function shopsOf(client: Client): Promise<readonly string[]> {
  return (await paginate(client.control.shops.list)).map(({ id }) => id)
}

function previewRemoval(what: string, id: string, items: readonly { readonly id: string }[]) {
  const toRemove = id === '' ? items : items.filter((item) => item.id === id)
  return toRemove.length === 0
    ? [`There is no ${what} to remove.`]
    : toRemove.map((item) => `Would remove ${what} ${item.id}.`)
}

const COUNTED = ['payment', 'refund', 'payout', 'event', 'delivery', 'rule', 'fault'] as const

const plural = (noun: string) => (noun === 'delivery' ? 'deliveries' : `${noun}s`)

function rowCounts(action: string, request: PlannedRequest, field: 'would_replace' | 'would_import'): string {
  const rows = responseOf(request)[field] as { readonly [table: string]: number }
  const counts = COUNTED.map((noun) => ({ noun, rows: rows[plural(noun)] ?? 0 }))
  return `${action}: ${counts.map(({ noun, rows }) => `${rows} ${rows === 1 ? noun : plural(noun)}`).join(', ')}.`
}

function responseOf({ response }: PlannedRequest): { readonly [field: string]: unknown } {
  return (response?.body ?? {}) as { readonly [field: string]: unknown }
}
