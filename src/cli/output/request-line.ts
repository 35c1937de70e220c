import type { RequestView } from '../../client/request-types.ts'
import { sanitizeLine, truncateChars } from '../../terminal/sanitize.ts'
import { formatElapsed, formatTimeOfDay } from '../../terminal/time-format.ts'
import type { Paint } from './colour.ts'
import { paintHttp } from './status-color.ts'
import { UNDER_TIME, wrapBlock, wrapLine } from './wrap-line.ts'

/**
 * `12:00:01.123  201  POST   /v1/public/payments  3 ms  by default`, then the error message and each warning below.
 * @param columns absent if stdout is not a terminal
 */
export function requestLine(request: RequestView, at: string, paint: Paint, columns: number | undefined): string {
  const parts = [
    paint.dim(formatTimeOfDay(request.at ?? at)),
    paintHttp(paint, request.status),
    `${request.method.padEnd(6)} ${sanitizeLine(request.path)}`,
    paint.dim(formatElapsed(request.ms)),
  ]
  if (request.code !== undefined && request.code !== null) parts.push(request.code)
  if (request.decided_by !== undefined && request.decided_by !== null)
    parts.push(paint.dim(`by ${sanitizeLine(request.decided_by)}`))
  const below = [...(request.message === undefined ? [] : [request.message]), ...(request.warnings ?? [])]
  const rows = below
    .flatMap((text) => wrapBlock(truncateChars(sanitizeLine(text), LONGEST), columns, UNDER_TIME))
    .map(paint.odd)
  return [wrapLine(parts.join('  '), columns, UNDER_TIME), ...rows].join('\n')
}

/** Maximum characters of a line below, because a message may contain a long list. */
const LONGEST = 200
