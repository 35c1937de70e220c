// Sends an answer and completes the request log's entry with it.
import type { AppContext } from './app-env.ts'
import type { Services } from './services.ts'

export interface Answer {
  readonly status: number
  /** Anything JSON can hold. */
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** The code of an error object, for the log. */
  readonly code?: string
}

const JSON_HEADERS = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' }

/** The answer as JSON. The headers stay a plain object: the node door then writes them without a Headers object. */
export function send(c: AppContext, services: Services, answer: Answer): Response {
  const text = JSON.stringify(answer.body)
  log(c, services, answer, text)
  return new Response(text, { status: answer.status, headers: headersOf(answer) })
}

/** An answer without an end of its own, such as an event stream. */
export function sendStream(
  c: AppContext,
  services: Services,
  { status, headers }: Pick<Answer, 'status' | 'headers'>,
  stream: ReadableStream<Uint8Array>,
): Response {
  log(c, services, { status })
  c.env?.onStream?.()
  return new Response(stream, { status, headers: { ...headers } })
}

export function headersOf(answer: Answer): Record<string, string> {
  return answer.headers === undefined ? JSON_HEADERS : { ...JSON_HEADERS, ...answer.headers }
}

/** Completes and pushes the entry, where this request has one. */
export function log(c: AppContext, services: Services, answer: Pick<Answer, 'status' | 'code'>, text?: string): void {
  const entry = c.get('entry')
  if (entry === undefined || entry.status !== undefined) return
  entry.status = answer.status
  if (answer.code !== undefined) entry.code = answer.code
  if (text !== undefined) entry.response_body = text
  entry.ms = services.wall.monotonic() - entry.started
  services.requestLog.push(entry)
}
