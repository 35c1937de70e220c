import type { RequestView } from '../client/control-wire.ts'
import { elapsed, timeOfDay } from '../terminal/clock-text.ts'
import { plainLine, shorten } from '../terminal/plain-text.ts'
import type { Paint } from './colour.ts'
import { paintHttp } from './status-look.ts'

/** `12:00:01.123  POST /v1/public/payments  201  3 ms  default`, and a line below for why it was refused and for each warning. */
export function requestLine(request: RequestView, at: string, paint: Paint): string {
  const parts = [
    paint.dim(timeOfDay(request.at ?? at)),
    `${request.method.padEnd(6)} ${plainLine(request.path)}`,
    paintHttp(paint, request.status),
    paint.dim(elapsed(request.ms)),
  ]
  if (request.code !== undefined && request.code !== null) parts.push(request.code)
  if (request.decided_by !== undefined && request.decided_by !== null)
    parts.push(paint.dim(`by ${plainLine(request.decided_by)}`))
  const line = parts.join('  ')
  const below = [...(request.message === undefined ? [] : [request.message]), ...(request.warnings ?? [])]
  return [line, ...below.map((text) => `${INDENT}${paint.odd(shorten(plainLine(text), LONGEST))}`)].join('\n')
}

/** Characters of a line below: a message may list all there is. */
const LONGEST = 200
/** Under the text that follows the time. */
const INDENT = ' '.repeat(14)
