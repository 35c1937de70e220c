// Finds the order of reads and changes that overlap. A read shows whether it was before or after a refund or a cancellation.
import { groupCalls, overlaps, type Precedence } from './precedence.ts'
import { asObject, asText, type RecordedCall } from './recorded-call.ts'

/**
 * A read that shows the change comes after it. A read that does not show the change comes before it. Because the two calls
 * overlap, the service finished the earlier one only before the end of the later one: `before: 'end'`.
 */
export function readsAndChanges(calls: readonly RecordedCall[]): Precedence[] {
  const reads = groupCalls(calls, ({ operation, shows }) => (operation.startsWith('GET ') ? shows?.id : undefined))
  const pairs = calls
    .filter(isChange)
    .flatMap((change) =>
      (reads.get(change.objectId ?? '') ?? [])
        .filter((read) => overlaps(read, change))
        .map((read) => ({ change, read, isShown: shows(read, change) })),
    )
  return [
    ...pairs
      .filter(({ isShown }) => isShown)
      .map(({ change, read }): Precedence => ({ earlier: change, later: read, before: 'end' })),
    ...pairs
      .filter(({ isShown }) => !isShown)
      .map(({ change, read }): Precedence => ({ earlier: read, later: change, before: 'end' })),
  ]
}

function isChange({ operation, status }: RecordedCall): boolean {
  return (operation.endsWith('/refund') && status === 201) || (operation.endsWith('/cancel') && status === 200)
}

function shows(read: RecordedCall, change: RecordedCall): boolean {
  if (change.operation.endsWith('/cancel')) return read.shows?.status === 'cancelled'
  const id = asText(asObject(change.response?.json)?.['id'])
  const refunds = read.shows?.object?.['refunds']
  return Array.isArray(refunds) && refunds.some((refund) => asText(asObject(refund)?.['id']) === id)
}
