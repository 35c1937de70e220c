// Sends an answer and completes the request log's entry with it.

import type { EventStream } from '../delivery/sse.ts'
import type { ApiErrorCode } from '../domain/errors.ts'
import { wholeMicroseconds } from '../domain/time.ts'
import type { Exchange } from './app-env.ts'
import { DRY_RUN_HEADER, isDryRun } from './dry-run.ts'
import type { Services } from './services.ts'

export interface ApiResponse {
  readonly status: number
  /** Anything JSON can hold. */
  readonly body: unknown
  /** The body as JSON, where it is known already. */
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
  /** The code of an error object, for the log. */
  readonly code?: ApiErrorCode
}

export const JSON_HEADERS = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' }

/** Of server-sent events. */
export const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
  // nginx would hold the messages back.
  'X-Accel-Buffering': 'no',
}

/** What goes to the caller, on whichever way. The headers stay a plain object, which node writes as it is. */
export interface SerializedResponse {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string | ReadableStream<Uint8Array>
}

/** The answer as JSON, noted in the log. */
export function serialize(c: Exchange, services: Services, answer: ApiResponse): SerializedResponse {
  const body = answer.text ?? JSON.stringify(answer.body)
  log(c, services, answer, body)
  return { status: answer.status, headers: marked(c, headersOf(answer)), body }
}

/** Marks the response of a dry run. */
export function marked(c: Exchange, headers: Record<string, string>): Record<string, string> {
  return isDryRun(c) ? { ...headers, [DRY_RUN_HEADER]: 'true' } : headers
}

/** An answer without an end of its own, such as an event stream. */
export function serializeStream(
  c: Exchange,
  services: Services,
  { status, headers }: Pick<ApiResponse, 'status' | 'headers'>,
  stream: EventStream,
): SerializedResponse {
  log(c, services, { status })
  c.env?.onStream?.(stream)
  return { status, headers: { ...headers }, body: stream }
}

export function toResponse({ status, headers, body }: SerializedResponse): Response {
  return new Response(body, { status, headers })
}

export const respond = (c: Exchange, services: Services, answer: ApiResponse): Response =>
  toResponse(serialize(c, services, answer))

export function headersOf(answer: ApiResponse): Record<string, string> {
  return answer.headers === undefined ? JSON_HEADERS : { ...JSON_HEADERS, ...answer.headers }
}

/** Completes and pushes the entry, where this request has one. */
export function log(
  c: Exchange,
  services: Services,
  answer: Pick<ApiResponse, 'status' | 'code'>,
  text?: string,
): void {
  const entry = c.get('entry')
  if (entry === undefined || entry.status !== undefined) return
  entry.status = answer.status
  if (answer.code !== undefined) entry.code = answer.code
  if (text !== undefined) entry.response_body = text
  entry.ms = wholeMicroseconds(services.systemClock.monotonic() - entry.started)
  services.requestLog.push(entry)
}
