// Serializes a response and completes the entry of the request log with it.

import type { EventStream } from '../delivery/sse.ts'
import type { ApiErrorCode } from '../domain/errors.ts'
import { wholeMicroseconds } from '../domain/time.ts'
import type { Exchange } from './app-env.ts'
import { DRY_RUN_HEADER, hasDryRunHeader } from './dry-run.ts'
import type { Services } from './services.ts'

export interface ApiResponse {
  readonly status: number
  /** Any JSON value. */
  readonly body: unknown
  /** The body as JSON, if it is already serialized. */
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
  /** The code of an error object, for the log. */
  readonly code?: ApiErrorCode
}

export const JSON_HEADERS = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' }

export const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
  // Otherwise nginx buffers the messages.
  'X-Accel-Buffering': 'no',
}

/** A response for any adapter. The headers are a plain object, which Node writes without conversion. */
export interface SerializedResponse {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string | ReadableStream<Uint8Array>
}

/** Serializes a response as JSON and logs it. */
export function serialize(c: Exchange, services: Services, response: ApiResponse): SerializedResponse {
  const body = response.text ?? JSON.stringify(response.body)
  log(c, services, response, body)
  return { status: response.status, headers: withDryRunHeader(c, headersOf(response)), body }
}

/** Adds the dry-run header to the headers of a response, if the request is a dry run. */
export function withDryRunHeader(c: Exchange, headers: Record<string, string>): Record<string, string> {
  return hasDryRunHeader(c) ? { ...headers, [DRY_RUN_HEADER]: 'true' } : headers
}

/** Serializes a response whose body has no end, such as an event stream, and logs it. */
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

export const respond = (c: Exchange, services: Services, response: ApiResponse): Response =>
  toResponse(serialize(c, services, response))

export function headersOf({ headers }: ApiResponse): Record<string, string> {
  return headers === undefined ? JSON_HEADERS : { ...JSON_HEADERS, ...headers }
}

/** Completes the log entry of this request, if it has one, and adds the entry to the log. */
export function log(
  c: Exchange,
  services: Services,
  response: Pick<ApiResponse, 'status' | 'code'>,
  text?: string,
): void {
  const entry = c.get('entry')
  if (entry === undefined || entry.status !== undefined) return
  entry.status = response.status
  if (response.code !== undefined) entry.code = response.code
  if (text !== undefined) entry.response_body = text
  entry.ms = wholeMicroseconds(services.systemClock.monotonic() - entry.started)
  services.requestLog.push(entry)
}
