// Describes the detail of a row as data, so that every renderer shows the same detail.
import type { RequestView } from '../../client/request-types.ts'
import { formatElapsed } from '../../domain/time-text.ts'
import type { Detail } from '../model.ts'
import type { MessageRow, Row } from '../rows/rows.ts'
import { formatDateTime } from '../time-format.ts'
import { type BodyContent, bodyContent, type DetailView, fieldRows, type Missing } from './blocks.ts'
import { type DetailContext, describePayment, describePayout } from './objects.ts'
import { httpStatusTone } from './tones.ts'
import { describeDelivery } from './webhooks.ts'

/** @param loaded the data that was fetched for the row, or is being fetched */
export function describeRow(row: Row, loaded: Detail, context: DetailContext = {}): DetailView {
  if ('payment' in row) return describePayment(row, loaded, context)
  if ('payout' in row) return describePayout(row, loaded, context)
  if ('request' in row) return describeRequest(row.request, loaded)
  if ('message' in row) return describeMessage(row, loaded)
  return describeDelivery(row, loaded)
}

function describeRequest(request: RequestView, { request: withBodies, loading, problem }: Detail): DetailView {
  const { method, path, status, ms, at, sandbox_at = at, code, message, decided_by, warnings = [] } = request
  const missing: Missing = loading ? 'loading' : 'lost'
  const bodyOf = (side: 'request' | 'response'): BodyContent | Missing =>
    withBodies === undefined ? missing : bodyContent(withBodies[side])
  return {
    title: `${method} ${path}`,
    note: '',
    problem,
    summary: [
      { text: String(status), tone: httpStatusTone(status) },
      { text: formatElapsed(ms), tone: 'plain' },
    ],
    blocks: [
      {
        kind: 'fields',
        title: 'Fields',
        rows: fieldRows([
          ['at', formatDateTime(sandbox_at ?? '')],
          ['code', code, 'failure'],
          ['message', message],
          ['decided by', decided_by],
          ...warnings.map((text) => ['warning', text, 'warning'] as const),
        ]),
      },
      { kind: 'body', title: 'Request', body: bodyOf('request') },
      { kind: 'body', title: 'Response', body: bodyOf('response') },
    ],
  }
}

function describeMessage({ kind, at, message }: MessageRow, { problem }: Detail): DetailView {
  return {
    title: kind,
    note: formatDateTime(at),
    problem,
    summary: [],
    blocks: [{ kind: 'json', text: JSON.stringify(message) }],
  }
}
