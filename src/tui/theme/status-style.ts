// The symbol and the style of each status.

import { isSuccess } from '../../domain/http-response.ts'
import type { StatusSymbol, Symbols } from './symbols.ts'
import type { StyleName } from './theme.ts'

const STATUSES = {
  pending: ['open', 'warning'],
  processing: ['active', 'accent'],
  succeeded: ['success', 'success'],
  failed: ['failure', 'failure'],
  expired: ['closed', 'failure'],
  cancelled: ['closed', 'dim'],
  refunded: ['returned', 'success'],
  waiting: ['open', 'warning'],
  sending: ['active', 'accent'],
  delivered: ['success', 'success'],
  exhausted: ['failure', 'failure'],
} as const satisfies Readonly<Record<string, readonly [StatusSymbol, StyleName]>>

/** Formats a status with its symbol, as in `✓ succeeded`. */
export function statusText(status: string, symbols: Symbols): string {
  return `${symbols.status[findStatus(status)[0]]} ${status}`
}

export function statusStyle(status: string): StyleName {
  return findStatus(status)[1]
}

/** @param status an HTTP status, or 0 if there was no response */
export function httpStatusStyle(status: number): StyleName {
  if (isSuccess(status)) return 'success'
  return status >= 300 && status < 500 ? 'warning' : 'failure'
}

function findStatus(status: string): readonly [StatusSymbol, StyleName] {
  return Object.hasOwn(STATUSES, status) ? STATUSES[status as keyof typeof STATUSES] : ['open', 'plain']
}
