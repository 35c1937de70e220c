// The tone of each status, so that both renderers colour it the same way.
import { isSuccess } from '../../domain/http-response.ts'
import type { Tone } from './blocks.ts'

const TONES = {
  pending: 'warning',
  processing: 'accent',
  succeeded: 'success',
  failed: 'failure',
  expired: 'failure',
  cancelled: 'dim',
  refunded: 'success',
  waiting: 'warning',
  sending: 'accent',
  delivered: 'success',
  exhausted: 'failure',
} as const satisfies Readonly<Record<string, Tone>>

/** @param status of a payment, payout, refund or delivery */
export function statusTone(status: string): Tone {
  return Object.hasOwn(TONES, status) ? TONES[status as keyof typeof TONES] : 'plain'
}

/** @param status an HTTP status, or 0 if there was no response */
export function httpStatusTone(status: number): Tone {
  if (isSuccess(status)) return 'success'
  return status >= 300 && status < 500 ? 'warning' : 'failure'
}
