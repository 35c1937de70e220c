// `--dry-run`: what only reads is asked as ever; the first request that would change something is kept instead of sent.
import { ConnectionError } from '../../client/errors.ts'
import type { FetchInit, FetchLike } from '../../client/fetch-like.ts'

/** What would be sent. */
export interface PlannedRequest {
  readonly method: string
  readonly url: string
  /** Those that say something: an outcome, a key, a signature. */
  readonly headers: { readonly [name: string]: string }
  /** Parsed where it is JSON; absent where there is none. A long one is counted only. */
  readonly body?: unknown
  /** As it would go out. */
  readonly sent: FetchInit['body']
}

export interface Rehearsal {
  readonly planned: readonly PlannedRequest[]
  /** Words about what would come of it, in order. */
  readonly remarks: string[]
  /** The same fetch, for what reads. @throws Rehearsed for anything else */
  over(fetch: FetchLike): FetchLike
}

/** Ends a command where it would have changed something. */
export class Rehearsed extends Error {
  override readonly name = 'Rehearsed'
}

/** A client reports what its fetch throws as an unreachable server, with the cause. */
export function isRehearsed(error: unknown): boolean {
  return error instanceof Rehearsed || (error instanceof ConnectionError && error.cause instanceof Rehearsed)
}

export function createRehearsal(): Rehearsal {
  const planned: PlannedRequest[] = []
  return {
    planned,
    remarks: [],
    over: (fetch) => async (url, init) => {
      if (init.method === 'GET' || init.method === 'HEAD') return await fetch(url, init)
      planned.push({ method: init.method, url, headers: tellingOf(init.headers), sent: init.body, ...bodyOf(init) })
      throw new Rehearsed(`${init.method} ${url}`)
    },
  }
}

function bodyOf({ body }: FetchInit): { readonly body?: unknown } {
  if (body === undefined) return {}
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  // A state of many megabytes is nothing to read.
  if (text.length > LONGEST) return { body: `${new TextEncoder().encode(text).byteLength} bytes` }
  try {
    return { body: JSON.parse(text) as unknown }
  } catch {
    return { body: text }
  }
}

const LONGEST = 2000

/** The same on every request, or secret. */
const SILENT = ['accept', 'content-type', 'authorization']

function tellingOf(headers: FetchInit['headers']): PlannedRequest['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !SILENT.includes(name.toLowerCase())))
}
