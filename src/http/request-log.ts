// The request log: the newest requests with their responses and the decisions about them. It masks secrets.
import { cardMask, replaceCards } from '../domain/card-masking.ts'
import { maskSecrets } from '../domain/secrets.ts'
import type { Mode } from '../domain/shop.ts'
import type { SandboxTime, WallTime } from '../domain/time.ts'
import { type ByteRingBuffer, createByteRingBuffer } from './byte-ring-buffer.ts'

interface RequestStart {
  readonly at: WallTime
  readonly sandbox_at: SandboxTime
  /** ms on the monotonic clock. */
  readonly started: number
  readonly method: string
  /** The path with the query. */
  readonly path: string
}

/** A request. The entry is filled in while the request runs. Secrets are masked only when the entry is read. */
export interface LoggedRequest extends RequestStart {
  readonly id: number
  shop_id?: string
  mode?: Mode
  /** `sk_test_abc123`: the public part of the key. */
  key_hint?: string
  idempotency_key?: string
  object_id?: string
  status?: number
  /** The code of the error object. */
  code?: string
  /** The message of the error object. Set when the entry is presented. */
  message?: string
  ms?: number
  /** The source of the plan, as in `StoredPlan`. */
  decided_by?: string
  /** The faults that were applied: `latency:2s`, `cut`. */
  faults?: readonly string[]
  /** Ids of the faults that are rows. A plan can also cut a connection, without a row. */
  fault_ids?: readonly string[]
  readonly warnings: string[]
  /** Absent if the entry is old: bodies are dropped earlier than entries. */
  request_body?: string | undefined
  response_body?: string | undefined
}

export interface RequestLog {
  /** Creates an entry for a request that begins. `push` adds it to the log. */
  begin(request: RequestStart): LoggedRequest
  /** Adds the entry of a request after its response. */
  push(entry: LoggedRequest): void
  /** Returns the entries, the newest first. */
  entries(): LoggedRequest[]
  /** Calls `listener` after each push. Returns a function that removes it. */
  listen(listener: (entry: LoggedRequest) => void): () => void
  /** Drops the requests that began before the state was last replaced (reset, import, restore). */
  clear(): void
}

/** Stored characters of one body. */
const MAX_BODY_LENGTH = 16 * 1024
/** Stored bytes of all bodies together. */
const MAX_BODIES_BYTES = 4 * 1024 * 1024

/**
 * @param limit returns how many entries to keep (setting `retention.requests`); called at each push
 * @param generation returns `Engine.generation`; a request that began with an earlier state is not kept
 */
export function createRequestLog(limit: () => number, generation: () => number): RequestLog {
  const ring = createByteRingBuffer(MAX_BODIES_BYTES)
  let entries: Entry[] = []
  let last = 0
  const listeners = new Set<(entry: LoggedRequest) => void>()
  return {
    begin: (request) => new Entry(++last, request, generation(), ring),
    push(entry) {
      const kept = limit()
      if (entry instanceof Entry) {
        entry.store()
        if (kept > 0 && entry.belongsTo(generation())) entries.push(entry)
      }
      // Cut only at twice the limit, because each cut moves the whole list.
      if (entries.length > kept * 2) entries = entries.slice(entries.length - kept)
      for (const listener of listeners) listener(entry)
    },
    entries: () => {
      const kept = limit()
      return kept === 0 ? [] : entries.slice(-kept).reverse()
    },
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    clear() {
      entries = entries.filter((entry) => entry.belongsTo(generation()))
    },
  }
}

/** Stores its bodies outside of the heap, because thousands of them would slow down garbage collection. */
class Entry implements LoggedRequest {
  readonly id: number
  readonly at: WallTime
  readonly sandbox_at: SandboxTime
  readonly started: number
  readonly method: string
  readonly path: string
  readonly warnings: string[] = []
  readonly #generation: number
  readonly #ring: ByteRingBuffer
  #request: string | number | undefined
  #response: string | number | undefined

  constructor(
    id: number,
    { at, sandbox_at, started, method, path }: RequestStart,
    generation: number,
    ring: ByteRingBuffer,
  ) {
    this.id = id
    this.#generation = generation
    this.at = at
    this.sandbox_at = sandbox_at
    this.started = started
    this.method = method
    this.path = path
    this.#ring = ring
  }

  get request_body(): string | undefined {
    return this.#read(this.#request)
  }
  set request_body(text: string | undefined) {
    this.#request = text
  }

  get response_body(): string | undefined {
    return this.#read(this.#response)
  }
  set response_body(text: string | undefined) {
    this.#response = text
  }

  belongsTo(generation: number): boolean {
    return this.#generation === generation
  }

  store(): void {
    if (typeof this.#request === 'string') this.#request = this.#ring.add(truncate(this.#request))
    if (typeof this.#response === 'string') this.#response = this.#ring.add(truncate(this.#response))
  }

  #read(textOrPosition: string | number | undefined): string | undefined {
    return typeof textOrPosition === 'number' ? this.#ring.get(textOrPosition) : textOrPosition
  }
}

/** Returns an entry as the control API shows it, with secrets masked in path, bodies, message and warnings. */
export function presentLogged(entry: LoggedRequest): LoggedRequest {
  const { request_body, response_body } = entry
  const shown = presentWithoutBodies(entry)
  if (request_body !== undefined) shown.request_body = mask(request_body)
  if (response_body !== undefined) shown.response_body = mask(response_body)
  return shown
}

/** Like {@link presentLogged}, without the bodies. */
export function presentWithoutBodies(entry: LoggedRequest): LoggedRequest {
  const { request_body, response_body, ...head } = { ...entry }
  const message = head.code === undefined ? undefined : messageIn(entry.response_body)
  return {
    ...head,
    ...(message === undefined ? {} : { message: mask(message) }),
    path: mask(entry.path),
    warnings: entry.warnings.map(mask),
  }
}

/** Returns the message of an error object, unless the body was dropped or truncated, so that it is not valid JSON. */
function messageIn(body: string | undefined): string | undefined {
  try {
    const message: unknown = JSON.parse(body ?? '').error.message
    return typeof message === 'string' ? message : undefined
  } catch {
    return undefined
  }
}

/** Masks secrets and card numbers. Keeps the public part of a key, other prefixes, and ten digits of a card. */
export function mask(text: string): string {
  return replaceCards(maskSecrets(text), cardMask)
}

function truncate(text: string): string {
  return text.length > MAX_BODY_LENGTH ? `${text.slice(0, MAX_BODY_LENGTH)}… (shortened)` : text
}
