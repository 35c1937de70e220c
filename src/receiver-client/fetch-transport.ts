import { describeFailure, describeTimeout, type Phase } from '../domain/receiver-failures.ts'
import type { Timers } from '../domain/time.ts'
import { decodingIssue } from './content-encoding.ts'
import { createResponseBody } from './response-body.ts'
import type { ReceiverResponse, Transport } from './transport.ts'

export type FetchFunction = (url: string, init: RequestInit) => Promise<Response>

/**
 * Sends through a `fetch` function, for sandboxes in the process of a test, whose receivers may be functions or mocked.
 * @param closing aborts the requests in flight
 */
export function fetchTransport(fetch: FetchFunction, systemClock: Timers, closing?: AbortSignal): Transport {
  return (request) =>
    new Promise((resolve) => {
      const abort = new AbortController()
      let received: ReceiverResponse = {}
      let phase: Phase = 'waiting'
      const deadline = systemClock.setTimeout(() => {
        resolve({ ...received, error: describeTimeout(request.url, request.deadline_ms, phase), late: true })
        abort.abort()
      }, request.deadline_ms)

      const onClosing = () => abort.abort(closing?.reason)
      if (closing?.aborted === true) onClosing()
      closing?.addEventListener('abort', onClosing)

      async function exchange(): Promise<ReceiverResponse> {
        const response = await fetch(request.url, {
          method: 'POST',
          headers: request.headers.map(([name, value]): [string, string] => [name, value]),
          body: request.body,
          redirect: 'manual',
          signal: abort.signal,
        })
        received = { status: response.status, headers: [...response.headers] }
        phase = 'reading'
        return { ...received, ...(await readBody(response)) }
      }

      exchange()
        .catch((error: unknown) => ({ ...received, error: describeFailure(error, request.url, phase) }))
        .then(resolve)
        .finally(() => {
          deadline.cancel()
          closing?.removeEventListener('abort', onClosing)
        })
    })
}

/** A `fetch` function decodes what it can. A body that it cannot decode is lost. */
async function readBody(response: Response): Promise<Pick<ReceiverResponse, 'body'>> {
  const body = createResponseBody()
  const reader = response.body?.getReader()
  try {
    for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
      if (body.add(part.value)) continue
      await reader?.cancel()
      break
    }
  } catch (error) {
    const encoding = response.headers.get('Content-Encoding') ?? ''
    const issue = decodingIssue((error as Error).cause, encoding)
    if (issue === undefined) throw error
    return { body: { text: '', note: `The body is missing: ${issue}.` } }
  }
  const recorded = await body.recorded([['Content-Type', response.headers.get('Content-Type') ?? '']], true)
  return recorded === undefined ? {} : { body: recorded }
}
