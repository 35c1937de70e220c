// Retries many deliveries one after the other, so that the events of a payment stay in order.
import type { Client } from '../../../../client/client.ts'
import type { DeliveryView } from '../../../../client/control-types.ts'
import { ApiError } from '../../../../client/errors.ts'
import { EXIT_CODES } from '../../../exit-codes.ts'
import { idColumn } from '../../../output/id-and-time-columns.ts'
import { startChanges } from '../../../output/progress.ts'
import { type Column, printTable } from '../../../output/table.ts'
import type { Session } from '../../../session.ts'
import { DryRunComplete, isDryRunComplete } from '../../../target/dry-run.ts'
import { notTaken, notTakenText } from './failed-deliveries.ts'
import { answerText, tookText } from './view.ts'

export async function retryAll(ids: readonly string[], client: Client, session: Session): Promise<number> {
  const { out, signals } = session
  const tried: DeliveryView[] = []
  const refused: Row[] = []
  const rows: Row[] = []
  const progress = await startChanges(session, 'deliveries', ids.length)
  for (const [at, id] of ids.entries()) {
    if (signals.ended.aborted) break
    const result = await retry(client, id)
    progress.update(at + 1)
    if (result === undefined) continue
    rows.push(result)
    if (result.delivery === undefined) refused.push(result)
    else tried.push(result.delivery)
  }
  progress.stop()
  if (session.dryRun !== undefined && ids.length > 0) throw new DryRunComplete('retries')
  const [failed, ...more] = tried.filter(({ status }) => status !== 'delivered')
  // stdout stays empty after a failure.
  if (out.json && failed !== undefined) throw notTaken([failed, ...more], tried.length)
  if (out.json) for (const delivery of tried) out.document(delivery)
  if (!out.json && rows.length > 0) await printTable(out, COLUMNS, rows, '')
  if (ids.length === 0) out.note('No such deliveries.')
  for (const { id, why } of refused) out.warn(`${id} was not sent again: ${why}`)
  if (failed !== undefined) out.warn(notTakenText([failed, ...more], tried.length))
  return failed === undefined && refused.length === 0 ? EXIT_CODES.done : EXIT_CODES.failed
}

interface Row {
  readonly id: string
  /** Absent if the server rejected the retry. */
  readonly delivery?: DeliveryView
  readonly why?: string
}

/** @returns undefined in a dry run, which prints them all at the end */
async function retry(client: Client, id: string): Promise<Row | undefined> {
  try {
    return { id, delivery: await client.control.deliveries.retry(id) }
  } catch (error) {
    if (isDryRunComplete(error)) return undefined
    // Its event or endpoint was deleted, but the others can still be sent.
    if (error instanceof ApiError && (error.code === 'not_allowed' || error.code === 'not_found')) {
      return { id, why: error.message }
    }
    throw error
  }
}

const COLUMNS: readonly Column<Row>[] = [
  idColumn('delivery', ({ id }) => id),
  { title: 'event', cell: ({ delivery }) => delivery?.event },
  { title: 'response', cell: ({ delivery }) => (delivery === undefined ? 'not sent' : answerText(delivery)) },
  { title: 'took', cell: ({ delivery }) => tookText(delivery), right: true },
  { title: 'url', cell: ({ delivery }) => delivery?.url, least: 20 },
]
