// `--dry-run`: reads are sent as usual. The first request that would change something is recorded instead of sent.
import { ConnectionError } from '../../client/errors.ts'
import type { FetchInit, FetchLike } from '../../client/fetch-like.ts'

/** A request that the command would send. */
export interface PlannedRequest {
  readonly method: string
  readonly url: string
  /** Only those that differ per request, such as an outcome, a key or a signature. */
  readonly headers: { readonly [name: string]: string }
  /** Parsed if it is JSON. A long body is replaced by its size. */
  readonly body?: unknown
  /** The body exactly as it would be sent: whole, or in pieces that can be read once. */
  readonly sent: FetchInit['body']
  readonly pieces: FetchInit['pieces']
}

export interface DryRun {
  readonly planned: readonly PlannedRequest[]
  /** Sentences about the effects, in order. */
  readonly remarks: string[]
  /** Wraps a fetch so that it sends only reads. @throws DryRunStop for any other request */
  over(fetch: FetchLike): FetchLike
}

/** Stops a command before its first change. */
export class DryRunStop extends Error {
  override readonly name = 'DryRunStop'
}

/** The client wraps what its fetch throws in a ConnectionError, with the cause. */
export function isDryRunStop(error: unknown): boolean {
  return error instanceof DryRunStop || (error instanceof ConnectionError && error.cause instanceof DryRunStop)
}

export function createDryRun(): DryRun {
  const planned: PlannedRequest[] = []
  return {
    planned,
    remarks: [],
    over: (fetch) => async (url, init) => {
      if (init.method === 'GET' || init.method === 'HEAD') return await fetch(url, init)
      planned.push({
        method: init.method,
        url,
        headers: relevantHeaders(init.headers),
        sent: init.body,
        pieces: init.pieces,
        ...bodyOf(init),
      })
      throw new DryRunStop(`${init.method} ${url}`)
    },
  }
}

function bodyOf({ body, pieces }: FetchInit): { readonly body?: unknown } {
  if (pieces !== undefined) return { body: pieces.size === undefined ? 'a stream' : `${pieces.size} bytes` }
  if (body === undefined) return {}
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  // An exported state of many megabytes is unreadable in a terminal.
  if (text.length > LONGEST) return { body: `${new TextEncoder().encode(text).byteLength} bytes` }
  try {
    return { body: JSON.parse(text) as unknown }
  } catch {
    return { body: text }
  }
}

const LONGEST = 2000

/** Headers that are secret or equal on every request. */
const OMITTED_HEADERS = ['accept', 'content-type', 'authorization']

function relevantHeaders(headers: FetchInit['headers']): PlannedRequest['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OMITTED_HEADERS.includes(name.toLowerCase())))
}
