import type { RequestView } from '../../client/request-wire.ts'
import { formatElapsed } from '../../terminal/time-format.ts'
import type { Detail } from '../state/state.ts'
import { httpStatusStyle } from '../theme/status-style.ts'
import { type StyledLines, sanitizeValue } from '../theme/styled-line.ts'
import { bodyLines, fieldLines, headingLines } from './field-lines.ts'
import { formatDateTime } from './time-format.ts'

/** One call of the public API: what decided it, what was asked and answered. */
export function requestLines(request: RequestView, { request: whole, loading }: Detail, width: number): StyledLines {
  const { method, path, status, ms, at, sandbox_at = at, code, message, decided_by, warnings = [] } = request
  const missing: StyledLines = [[[loading ? 'reading…' : 'not kept any more', 'dim']]]
  return [
    [[`${method} ${sanitizeValue(path)}`, 'bold']],
    [[String(status), httpStatusStyle(status)], `  ${formatElapsed(ms)}`],
    ...headingLines('Fields'),
    ...fieldLines([
      ['at', formatDateTime(sandbox_at ?? '')],
      ['code', code, 'failure'],
      ['message', message],
      ['decided by', decided_by],
      ...warnings.map((text) => ['warning', text, 'warning'] as const),
    ]),
    ...headingLines('Request'),
    ...(whole === undefined ? missing : bodyLines(whole.request, '', width)),
    ...headingLines('Answer'),
    ...(whole === undefined ? missing : bodyLines(whole.response, '', width)),
  ]
}
