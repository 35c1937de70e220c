// The request log: the newest requests with what was asked, answered and decided. Secrets never leave it unmasked.
import { cardMask, luhn } from '../domain/card-masking.ts'
import type { Mode } from '../domain/shop.ts'
import type { SandboxTime, WallTime } from '../domain/time.ts'
import { maskUserInfo } from '../domain/user-info.ts'
import { type ByteRingBuffer, createByteRingBuffer } from './byte-ring-buffer.ts'

interface RequestStart {
  readonly at: WallTime
  readonly sandbox_at: SandboxTime
  /** On the monotonic clock, ms. */
  readonly started: number
  readonly method: string
  /** With the query. */
  readonly path: string
}

/** One request, filled in while it runs, rendered only when somebody looks. */
export interface LoggedRequest extends RequestStart {
  readonly id: number
  shop_id?: string
  mode?: Mode
  /** `sk_test_abc123`: the public part of the key. */
  key_hint?: string
  idempotency_key?: string
  object_id?: string
  status?: number
  /** The error object's code. */
  code?: string
  /** Its message, once it is rendered. */
  message?: string
  ms?: number
  /** `rule rul_…`, `header`, `metadata`, `magic amount 51`, `default`. */
  decided_by?: string
  /** What the simulator did to the transport: `latency:2s`, `cut`. */
  faults?: readonly string[]
  /** Ids of those that are rows: a plan may cut too. */
  fault_ids?: readonly string[]
  readonly warnings: string[]
  /** Bodies of old entries are forgotten before the entries are. */
  request_body?: string | undefined
  response_body?: string | undefined
}

export interface RequestLog {
  /** An entry for a request that begins. It is in the log once it is pushed. */
  begin(request: RequestStart): LoggedRequest
  /** Takes an answered request. */
  push(entry: LoggedRequest): void
  /** Newest first. */
  entries(): LoggedRequest[]
  /** Called after each push; returns how to stop it. */
  listen(listener: (entry: LoggedRequest) => void): () => void
  /** Forgets the requests that began with an earlier state. */
  clear(): void
}

/** Characters kept of a body, and bytes of all bodies. */
const MAX_BODY_LENGTH = 16 * 1024
const MAX_BODIES_BYTES = 4 * 1024 * 1024

/**
 * @param limit how many entries to keep, asked at each push (setting `retention.requests`)
 * @param generation see `Engine.generation`: a request that began with an earlier state is not kept
 */
export function createRequestLog(limit: () => number, generation: () => number): RequestLog {
  const ring = createByteRingBuffer(MAX_BODIES_BYTES, truncate)
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
      // Twice the limit, then one cut: dropping the oldest one by one would move the whole list each time.
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

/** Once it is stored, its bodies lie outside of the heap: thousands of them would keep the collector busy. */
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
    if (typeof this.#request === 'string') this.#request = this.#ring.add(this.#request)
    if (typeof this.#response === 'string') this.#response = this.#ring.add(this.#response)
  }

  #read(held: string | number | undefined): string | undefined {
    return typeof held === 'number' ? this.#ring.get(held) : held
  }
}

/** An entry as people see it: whole secrets are masked in paths, bodies and messages. */
export function renderLogged(entry: LoggedRequest): LoggedRequest {
  const { request_body, response_body } = entry
  const shown = renderWithoutBodies(entry)
  if (request_body !== undefined) shown.request_body = mask(request_body)
  if (response_body !== undefined) shown.response_body = mask(response_body)
  return shown
}

/** The same without its bodies. */
export function renderWithoutBodies(entry: LoggedRequest): LoggedRequest {
  const { request_body, response_body, ...head } = { ...entry }
  const message = head.code === undefined ? undefined : messageIn(entry.response_body)
  return {
    ...head,
    ...(message === undefined ? {} : { message: mask(message) }),
    path: mask(entry.path),
    warnings: entry.warnings.map(mask),
  }
}

/** Of an error object; bodies of old entries are gone, and a long one is cut. */
function messageIn(body: string | undefined): string | undefined {
  try {
    const message: unknown = JSON.parse(body ?? '').error.message
    return typeof message === 'string' ? message : undefined
  } catch {
    return undefined
  }
}

/** 16 to 19 digits; fewer are more often a time or a phone. */
const CARD = /(?<![\d.])\d(?:[ -]?\d){15,18}(?!\d)/g

/** `sk_test_abc123_…` keeps its public part, `whs_…` and `thm_…` their first characters, card numbers all but 6 and 4. */
export function mask(text: string): string {
  return maskUserInfo(text)
    .replace(/\b(sk_(?:test|live)_[A-Za-z0-9]{6}_)[A-Za-z0-9._~+/=-]+/g, '$1***')
    .replace(/\b((?:whs|thm)_)[A-Za-z0-9._~+/=-]+/g, '$1***')
    .replace(CARD, (digits) => (luhn(digits) ? cardMask(digits) : digits))
}

function truncate(text: string): string {
  return text.length > MAX_BODY_LENGTH ? `${text.slice(0, MAX_BODY_LENGTH)}… (shortened)` : text
}
