// `--dry-run`: reads are sent as usual. A request that would change something is sent with the header `X-PSP-Dry-Run`,
// or not at all if the server does not support it.
import { ConnectionError, UnexpectedResponseError } from '../../client/errors.ts'
import type { FetchInit, FetchLike, FetchResponse } from '../../client/fetch-like.ts'
import { isSuccess } from '../../domain/http-response.ts'

/** A request that the command would send. */
export interface PlannedRequest {
  readonly method: string
  readonly url: string
  /** Only headers that differ between requests, such as the outcome, the Idempotency-Key or the signature. */
  readonly headers: { readonly [name: string]: string }
  /** Parsed if it is JSON. A long body is replaced by its size. */
  readonly body?: unknown
  /** The response of the dry run. Absent if the server has no dry run, so the request was not sent. */
  readonly response?: { readonly status: number; readonly body?: unknown }
}

export interface DryRun {
  readonly planned: readonly PlannedRequest[]
  /** Sentences about the effects, in order. */
  readonly remarks: string[]
  /**
   * Wraps a fetch so that it changes nothing.
   * @throws DryRunComplete after adding a request to `planned` that would succeed, or that the server cannot simulate
   */
  wrap(fetch: FetchLike): FetchLike
}

/** Stops a command before its first change. */
export class DryRunComplete extends Error {
  override readonly name = 'DryRunComplete'
}

/** The client wraps an error of its fetch in a ConnectionError. The original error is the `cause`. */
export function isDryRunComplete(error: unknown): boolean {
  return error instanceof DryRunComplete || (error instanceof ConnectionError && error.cause instanceof DryRunComplete)
}

export function createDryRun(): DryRun {
  const planned: PlannedRequest[] = []
  return {
    planned,
    remarks: [],
    wrap(fetch) {
      let supported: Promise<boolean> | undefined
      return async (url, init) => {
        if (init.method === 'GET' || init.method === 'HEAD') return await fetch(url, init)
        const request = { method: init.method, url, headers: relevantHeaders(init.headers), ...bodyOf(init) }
        supported ??= hasDryRun(fetch, url)
        if (!isApiPath(url) || !(await supported)) {
          planned.push(request)
          throw new DryRunComplete(`${init.method} ${url}`)
        }
        const response = await fetch(url, { ...init, headers: { ...init.headers, [HEADER]: 'true' } })
        if (!isMarked(response)) throw new UnexpectedResponseError(response.status, url, `no ${HEADER} header`)
        if (!isSuccess(response.status)) return response
        planned.push({ ...request, response: { status: response.status, ...parsed(await response.text()) } })
        throw new DryRunComplete(`${init.method} ${url}`)
      }
    },
  }
}

const HEADER = 'X-PSP-Dry-Run'

/** Asks the server before the first change, because a server that ignores the header would make it. */
async function hasDryRun(fetch: FetchLike, url: string): Promise<boolean> {
  const health = await fetch(new URL('/_psp/health', url).href, { method: 'GET', headers: { [HEADER]: 'true' } })
  await health.text()
  return isMarked(health)
}

const isMarked = (response: FetchResponse) => response.headers.get(HEADER) === 'true'

/** Other paths, such as those of the hosted page, have no dry run. */
const isApiPath = (url: string) => /^\/(_psp|(api\/)?v1\/public)\//.test(new URL(url).pathname)

function bodyOf({ body, pieces }: FetchInit): { readonly body?: unknown } {
  if (pieces !== undefined) return { body: pieces.size === undefined ? 'a stream' : `${pieces.size} bytes` }
  if (body === undefined) return {}
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  // An imported state may be many megabytes long.
  if (text.length > LONGEST) return { body: `${new TextEncoder().encode(text).byteLength} bytes` }
  return parsed(text)
}

function parsed(text: string): { readonly body?: unknown } {
  if (text === '') return {}
  try {
    return { body: JSON.parse(text) as unknown }
  } catch {
    return { body: text }
  }
}

const LONGEST = 2000

/** Headers that are secret, or the same on every request. */
const OMITTED_HEADERS = ['accept', 'content-type', 'authorization']

function relevantHeaders(headers: FetchInit['headers']): PlannedRequest['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OMITTED_HEADERS.includes(name.toLowerCase())))
}
