// The colour of each status.
import { isSuccess } from '../../domain/http-response.ts'
import type { Paint } from './colour.ts'

const GOOD: ReadonlySet<string> = new Set(['succeeded', 'delivered', 'refunded', 'ok', 'pass', 'active'])
const BAD: ReadonlySet<string> = new Set(['failed', 'exhausted', 'expired', 'fail', 'revoked'])

export function paintStatus(paint: Paint, status: string): string {
  if (GOOD.has(status)) return paint.good(status)
  return BAD.has(status) ? paint.bad(status) : paint.odd(status)
}

export function paintHttp(paint: Paint, status: number): string {
  if (isSuccess(status)) return paint.good(String(status))
  return status >= 500 ? paint.bad(String(status)) : paint.odd(String(status))
}
