import type { RequestView } from '../../client/request-wire.ts'
import { formatElapsed } from '../../terminal/time-format.ts'
import { type Lines, stranger } from '../looks/line.ts'
import { httpLook } from '../looks/status.ts'
import type { Detail } from '../state/state.ts'
import { dateTime } from './clock-face.ts'
import { bodyLines, fields, heading } from './field-lines.ts'

/** One call of the public API: what decided it, what was asked and answered. */
export function requestLines(request: RequestView, { request: whole, loading }: Detail, width: number): Lines {
  const { method, path, status, ms, at, sandbox_at = at, code, message, decided_by, warnings = [] } = request
  const missing: Lines = [[[loading ? 'reading…' : 'not kept any more', 'dim']]]
  return [
    [[`${method} ${stranger(path)}`, 'bold']],
    [[String(status), httpLook(status)], `  ${formatElapsed(ms)}`],
    ...heading('Fields'),
    ...fields([
      ['at', dateTime(sandbox_at ?? '')],
      ['code', code, 'bad'],
      ['message', message],
      ['decided by', decided_by],
      ...warnings.map((text) => ['warning', text, 'odd'] as const),
    ]),
    ...heading('Request'),
    ...(whole === undefined ? missing : bodyLines(whole.request, '', width)),
    ...heading('Answer'),
    ...(whole === undefined ? missing : bodyLines(whole.response, '', width)),
  ]
}
