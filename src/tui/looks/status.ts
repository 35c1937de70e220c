// The sign and the colour of each status.
import type { LookName } from './looks.ts'
import type { Marks, Sign } from './marks.ts'

const STATUSES = {
  pending: ['open', 'odd'],
  processing: ['half', 'name'],
  succeeded: ['good', 'good'],
  failed: ['bad', 'bad'],
  expired: ['off', 'bad'],
  cancelled: ['off', 'dim'],
  refunded: ['back', 'good'],
  waiting: ['open', 'odd'],
  sending: ['half', 'name'],
  delivered: ['good', 'good'],
  exhausted: ['bad', 'bad'],
} as const satisfies Readonly<Record<string, readonly [Sign, LookName]>>

/** `✓ succeeded`. */
export function statusText(status: string, { signs }: Marks): string {
  return `${signs[rowOf(status)[0]]} ${status}`
}

export function statusLook(status: string): LookName {
  return rowOf(status)[1]
}

/** Of an HTTP status; 0 where no answer came. */
export function httpLook(status: number): LookName {
  if (status >= 200 && status < 300) return 'good'
  return status >= 300 && status < 500 ? 'odd' : 'bad'
}

function rowOf(status: string): readonly [Sign, LookName] {
  return Object.hasOwn(STATUSES, status) ? STATUSES[status as keyof typeof STATUSES] : ['open', 'plain']
}
