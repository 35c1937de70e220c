import type { RequestView } from '../../client/request-types.ts'
import { formatElapsed } from '../../domain/time-text.ts'
import type { Detail } from '../../view-model/model.ts'
import { formatDateTime } from '../../view-model/time-format.ts'
import { type StyledLines, sanitizeValue } from '../theme/styled-line.ts'
import { httpStatusStyle } from '../theme/theme.ts'
import { bodyLines, fieldLines, headingLines } from './field-lines.ts'

/** Shows a request to the public API: what decided its outcome, the request and the response. */
export function requestLines(
  request: RequestView,
  { request: withBodies, loading }: Detail,
  width: number,
): StyledLines {
  const { method, path, status, ms, at, sandbox_at = at, code, message, decided_by, warnings = [] } = request
  const missing: StyledLines = [[[loading ? 'loading…' : 'no longer available', 'dim']]]
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
    ...(withBodies === undefined ? missing : bodyLines(withBodies.request, '', width)),
    ...headingLines('Response'),
    ...(withBodies === undefined ? missing : bodyLines(withBodies.response, '', width)),
  ]
}
