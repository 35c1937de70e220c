// Spec 6.1, Delivery: an attempt succeeds if it gets a complete 2xx response in time.

import { type HeaderList, headerValue } from '../domain/delivery.ts'
import { isSuccess } from '../domain/http-response.ts'
import { fixForStatus } from '../domain/remediation.ts'
import type { ReceiverResponse } from '../receiver-client/transport.ts'

export interface AttemptResult {
  readonly delivered: boolean
  /** Why the attempt failed, as a message. */
  readonly error?: string
}

export function classifyResponse({ status, headers, error }: ReceiverResponse): AttemptResult {
  if (error !== undefined) return { delivered: false, error }
  if (status === undefined) return { delivered: false, error: 'There was no response.' }
  if (isSuccess(status)) return { delivered: true }
  return { delivered: false, error: `The receiver responded ${status}${hint(status, headers ?? [])}` }
}

function hint(status: number, headers: HeaderList): string {
  const location = status < 400 ? headerValue(headers, 'location') : undefined
  const to = location === undefined ? '' : ` (redirect to ${location.slice(0, 200)})`
  return `${to}. ${fixForStatus(status)}`
}
