// Predicts the effects of a request that `--dry-run` did not send, from what can be read.
import type { Client } from '../../client/client.ts'
import { ApiError } from '../../client/errors.ts'
import { paginate } from '../../client/paginate.ts'
import { formatMoney } from '../../domain/currency.ts'
import { sanitizeLine } from '../../terminal/sanitize.ts'
import type { Session } from '../session.ts'
import type { PlannedRequest } from './dry-run.ts'

interface PreviewContext {
  readonly id: string
  readonly client: Client
  readonly request: PlannedRequest
  readonly session: Session
}

type Preview = (seen: PreviewContext) => Promise<readonly string[]>

/** By method and path; the first group is the id. */
const PREVIEWS: readonly (readonly [route: RegExp, foresight: Preview])[] = [
  [/^POST .*\/payments\/([^/]+)\/refunds?$/, refunded],
  [/^POST \/_psp\/events\/([^/]+)\/replay$/, replayed],
  [/^POST \/_psp\/deliveries\/([^/]+)\/retry$/, retried],
  [/^POST \/_psp\/reset$/, cleared],
  [/^POST \/_psp\/snapshots\/([^/]+)\/restore$/, restored],
  [/^PUT \/_psp\/import$/, imported],
  [
    /^DELETE \/_psp\/snapshots\/([^/]+)$/,
    async ({ id, client }) => [`Would delete snapshot ${await snapshot(id, client)}.`],
  ],
  [
    /^DELETE \/_psp\/(?:rules)(?:\/([^/]+))?$/,
    async ({ id, client }) => removed('rule', id, await paginate(client.control.rules.list)),
  ],
  [
    /^DELETE \/_psp\/(?:faults)(?:\/([^/]+))?$/,
    async ({ id, client }) => removed('fault', id, await paginate(client.control.faults.list)),
  ],
  [/^DELETE \/_psp\/endpoints\/([^/]+)$/, endpointDeleted],
  [/^DELETE \/_psp\/keys\/([^/]+)$/, keyRevoked],
]

/** Returns sentences; none if the effects cannot be predicted. @throws ApiError if the request would certainly fail */
export async function previewEffects(
  request: PlannedRequest,
  client: Client,
  session: Session,
): Promise<readonly string[]> {
  const line = `${request.method} ${new URL(request.url).pathname}`
  for (const [route, foresight] of PREVIEWS) {
    const found = route.exec(line)
    if (found !== null) return await foresight({ id: decodeURIComponent(found[1] ?? ''), client, request, session })
  }
  return []
}

async function refunded({ id, client }: PreviewContext): Promise<readonly string[]> {
  const { amount, currency, status, refunds } = await client.payments.get(id)
  const taken = refunds.reduce((sum, refund) => (refund.status === 'failed' ? sum : sum + refund.amount), 0)
  const money = (value: number) => formatMoney(value, currency)
  return [`Payment ${id} is ${status}; ${money(amount - taken)} of its ${money(amount)} is left to refund.`]
}

async function retried({ id, client }: PreviewContext): Promise<readonly string[]> {
  const { event_id, event, url, status } = await client.control.deliveries.get(id)
  return [`${id}  ${event}  ${event_id}  to ${sanitizeLine(url)}  (${status})`]
}

async function replayed({ id, client }: PreviewContext): Promise<readonly string[]> {
  const { event, object_id, created_at } = await client.control.events.get(id)
  return [`${id}  ${event}  ${object_id}  ${created_at}`]
}

async function cleared({ client, request }: PreviewContext): Promise<readonly string[]> {
  const all = (request.body as { readonly all?: unknown } | undefined)?.all === true
  const also = all ? ['Would also restore shops, keys, endpoints, settings and the clock.'] : []
  return [...(await counted('Would clear', client)), ...also]
}

async function restored({ id, client }: PreviewContext): Promise<readonly string[]> {
  const name = await snapshot(id, client)
  return [`Would restore snapshot ${name}.`, ...(await counted('Would replace', client))]
}

async function snapshot(id: string, client: Client): Promise<string> {
  const { items } = await client.control.store.snapshots()
  if (items.some(({ name }) => name === id)) return id
  throw missing('snapshot', id)
}

/** Imports the state into a sandbox in memory, to validate and count it. */
async function imported({ client, request, session }: PreviewContext): Promise<readonly string[]> {
  const { fetchOf, openSandbox } = await import('../local/open-sandbox.ts')
  const { createClient } = await import('../../client/client.ts')
  const sandbox = await openSandbox(session, { holdDeliveries: true })
  try {
    const trial = createClient({ fetch: fetchOf(sandbox), baseUrl: 'http://127.0.0.1:7770' })
    await trial.raw.control.json({ method: 'PUT', path: '/_psp/import', pieces: request.pieces })
    return [...(await counted('Would import', trial)), ...(await counted('Would replace', client))]
  } finally {
    await sandbox.close({ grace_ms: 0 })
  }
}

async function endpointDeleted({ id, client }: PreviewContext): Promise<readonly string[]> {
  for (const shop of await shopsOf(client)) {
    const found = (await paginate((page) => client.control.endpoints.list(shop, page))).find(
      (endpoint) => endpoint.id === id,
    )
    if (found !== undefined)
      return [`Would delete the endpoint of shop ${shop} at ${found.url}; its pending retries would stop.`]
  }
  throw missing('endpoint', id)
}

async function keyRevoked({ id, client }: PreviewContext): Promise<readonly string[]> {
  for (const shop of await shopsOf(client)) {
    const found = (await paginate((page) => client.control.keys.list(shop, page))).find((key) => key.id === id)
    if (found !== undefined)
      return [`Would revoke a ${found.mode} key of shop ${shop}; requests with it would get 401.`]
  }
  throw missing('key', id)
}

async function shopsOf(client: Client): Promise<readonly string[]> {
  return (await paginate(client.control.shops.list)).map(({ id }) => id)
}

function removed(what: string, id: string, items: readonly { readonly id: string }[]) {
  const going = id === '' ? items : items.filter((item) => item.id === id)
  if (id !== '' && going.length === 0) throw missing(what, id)
  return going.length === 0
    ? [`There is no ${what} to remove.`]
    : going.map((item) => `Would remove ${what} ${item.id}.`)
}

function missing(what: string, id: string): ApiError {
  return new ApiError(404, 'not_found', `There is no ${what} ${id}.`)
}

/** The tables whose rows are counted. */
const COUNTED = ['payments', 'refunds', 'payouts', 'events', 'deliveries', 'rules', 'faults'] as const

async function counted(verb: string, { control }: Client): Promise<readonly string[]> {
  const rows = await control.store.counts()
  return [`${verb}: ${COUNTED.map((name) => `${rows[name]} ${name}`).join(', ')}.`]
}
