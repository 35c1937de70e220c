import type { Client } from '../../../../client/client.ts'
import type { DeliveryView } from '../../../../client/control-types.ts'
import { ApiError } from '../../../../client/errors.ts'
import { rowsOf } from '../../../../client/paginate.ts'
import { groupBy } from '../../../../domain/group-by.ts'
import { isAccepted } from '../../../../domain/http-response.ts'
import type { Run } from '../../../command.ts'
import { EXIT_CODES, usageError } from '../../../failure.ts'
import type { Output } from '../../../output/output.ts'
import { startChanges } from '../../../output/progress.ts'
import { printResult } from '../../../output/result.ts'
import { createResultPrinter } from '../../../output/row-printer.ts'
import { type Column, idColumn, printTable } from '../../../output/table.ts'
import type { FlagValues } from '../../../parsing/flags.ts'
import type { Session } from '../../../session.ts'
import { DryRunComplete, isDryRunComplete } from '../../../target/dry-run.ts'
import { resolveFilters, resolveId } from '../../../target/resolve-objects.ts'
import type { RETRY_ARGUMENTS, RETRY_FLAGS } from '../../webhooks.ts'
import { REPLAY_COLUMNS, reportFailures, responseColumn, responseText, tookText } from './results.ts'

type Filter = FlagValues<typeof RETRY_FLAGS>

/** Returns exit code 1 if a delivery failed again or could not be sent. */
export const retry: Run<typeof RETRY_ARGUMENTS, typeof RETRY_FLAGS> = async ({ args, flags, session }) => {
  // `flags` also contains `dry_run`.
  const { event_id, object_id, endpoint_id, shop_id, status } = flags
  const filter: Filter = { event_id, object_id, endpoint_id, shop_id, status }
  const filtered = Object.values(filter).some((value) => value !== undefined)
  if (args.ids.length > 0 === filtered) {
    throw usageError('Give either delivery ids or filters such as --status.', EXAMPLE)
  }
  const { client } = await session.target('server')
  if (filtered) return await retryAll(await idsOf(client, await resolveFilters(client, filter)), client, session)
  const ids = await Promise.all(args.ids.map((id) => resolveId(client.control.deliveries.list, id)))
  const [only = '', ...more] = ids
  return more.length === 0 ? await retryOne(only, client, session) : await retryAll(ids, client, session)
}

const EXAMPLE = '`psp webhooks deliveries retry --status exhausted` sends all exhausted deliveries again.'

async function retryOne(id: string, client: Client, { out }: Session): Promise<number> {
  const delivery = await client.control.deliveries.retry(id)
  await printResult(out, delivery, (tried) => printTable(out, REPLAY_COLUMNS, [tried], ''))
  return isLastAccepted(delivery) ? EXIT_CODES.done : EXIT_CODES.failed
}

/** A delivery stays delivered if a later attempt fails, so its status does not show the result of the last attempt. */
function isLastAccepted({ status, attempts }: DeliveryView): boolean {
  const last = attempts.at(-1)
  return status === 'delivered' && last !== undefined && isAccepted(last)
}

/** Returns the ids, oldest first. All are read before the first retry, because a successful retry changes the list. */
async function idsOf(client: Client, { status = 'exhausted', ...filter }: Filter): Promise<string[]> {
  const ids: string[] = []
  for await (const { id } of rowsOf(client.control.deliveries.list, { ...filter, status })) ids.push(id)
  return ids.reverse()
}

/**
 * Retries deliveries one after the other, so that the events of a payment stay in order. Each result is printed as it
 * arrives, so that a later error or signal cannot lose it.
 */
async function retryAll(ids: readonly string[], client: Client, session: Session): Promise<number> {
  const { out, signals } = session
  const tried: DeliveryView[] = []
  const refused: Row[] = []
  const progress = await startChanges(session, 'deliveries', ids.length)
  const results = createResultPrinter(out, RETRY_COLUMNS, progress)
  try {
    for (const [at, id] of ids.entries()) {
      if (signals.ended.aborted) break
      const result = await retryUnlessRefused(client, id)
      if (signals.ended.aborted) break
      progress.update(at + 1)
      if (result === undefined) continue
      if (result.delivery === undefined) refused.push(result)
      else tried.push(result.delivery)
      if (!out.json || result.delivery !== undefined) await results.print(result.delivery, [result])
    }
  } finally {
    progress.stop()
  }
  if (session.dryRun !== undefined && ids.length > 0) throw new DryRunComplete('retries')
  results.finish()
  if (ids.length === 0) out.note('No such deliveries.')
  warnRefused(refused, out)
  const code = reportFailures(
    tried.filter((delivery) => !isLastAccepted(delivery)),
    tried.length,
    out,
  )
  return refused.length === 0 ? code : EXIT_CODES.failed
}

interface Row {
  readonly id: string
  /** Absent if the server rejected the retry. */
  readonly delivery?: DeliveryView
  readonly why?: string
}

/** Warns once for each reason. With `--json` no document names these deliveries, so the warning does. */
function warnRefused(refused: readonly Row[], out: Output): void {
  for (const [why, rows] of groupBy(refused, ({ why = '' }) => why)) {
    const ids = rows.map(({ id }) => id)
    const which = out.json || ids.length === 1 ? ids.join(', ') : `${ids.length} deliveries`
    out.warn(`${which} ${ids.length === 1 ? 'was' : 'were'} not sent again: ${why}`)
  }
}

/** @returns `undefined` in a dry run, which prints all requests at the end */
async function retryUnlessRefused(client: Client, id: string): Promise<Row | undefined> {
  try {
    return { id, delivery: await client.control.deliveries.retry(id) }
  } catch (error) {
    if (isDryRunComplete(error)) return undefined
    // The event or endpoint of this delivery was deleted. Other deliveries can still be sent.
    if (error instanceof ApiError && (error.code === 'not_allowed' || error.code === 'not_found')) {
      return { id, why: error.message }
    }
    throw error
  }
}

const RETRY_COLUMNS: readonly Column<Row>[] = [
  idColumn('delivery', ({ id }) => id),
  { title: 'event', cell: ({ delivery }) => delivery?.event, usual: 'payment.succeeded' },
  responseColumn(({ delivery }) => (delivery === undefined ? 'not sent' : responseText(delivery))),
  { title: 'took', cell: ({ delivery }) => tookText(delivery), right: true, usual: '999 ms' },
  { title: 'url', cell: ({ delivery }) => delivery?.url, minWidth: 20 },
]
