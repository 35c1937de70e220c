// The request log: the newest requests with what was asked, answered and decided. Secrets never leave it unmasked.
import { cardMask, luhn } from '../domain/masks.ts'
import type { Mode } from '../domain/shop.ts'
import type { WallTime } from '../domain/time.ts'

/** One request. It holds references while the request runs and is rendered only when somebody looks. */
export interface LoggedRequest {
  readonly id: number
  readonly at: WallTime
  /** On the monotonic clock, ms. */
  readonly started: number
  readonly method: string
  /** With the query. */
  readonly path: string
  shop_id?: string
  mode?: Mode
  /** `sk_test_abc123`: the public part of the key. */
  key_hint?: string
  idempotency_key?: string
  object_id?: string
  status?: number
  /** The error object's code. */
  code?: string
  ms?: number
  /** `rule rul_…`, `header`, `metadata`, `magic amount 51`, `default`. */
  decided_by?: string
  /** What the simulator did to the transport: `latency:2s`, `cut`. */
  faults?: readonly string[]
  readonly warnings: string[]
  request_body?: string
  response_body?: string
}

export interface RequestLog {
  /** A number for the next entry, rising. */
  nextId(): number
  /** Takes an answered request. */
  push(entry: LoggedRequest): void
  /** Newest first. */
  entries(): LoggedRequest[]
  /** Called after each push; returns how to stop it. */
  listen(listener: (entry: LoggedRequest) => void): () => void
  clear(): void
}

/** Characters kept of a body. */
const BODY_KEPT = 16 * 1024

/** @param limit how many entries to keep, asked at each push (setting `retention.requests`) */
export function createRequestLog(limit: () => number): RequestLog {
  let entries: LoggedRequest[] = []
  let last = 0
  const listeners = new Set<(entry: LoggedRequest) => void>()
  return {
    nextId: () => ++last,
    push(entry) {
      const kept = limit()
      shorten(entry)
      if (kept > 0) entries.push(entry)
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
      entries = []
    },
  }
}

/** An entry as people see it: whole secrets are masked in paths, bodies and messages. */
export function renderLogged(entry: LoggedRequest): LoggedRequest {
  const shown = { ...entry, path: mask(entry.path), warnings: entry.warnings.map(mask) }
  if (entry.request_body !== undefined) shown.request_body = mask(entry.request_body)
  if (entry.response_body !== undefined) shown.response_body = mask(entry.response_body)
  return shown
}

/** 16 to 19 digits; fewer are more often a time or a phone. */
const CARD = /(?<![\d.])\d(?:[ -]?\d){15,18}(?!\d)/g

/** `sk_test_abc123_…` keeps its public part, `whs_…` and `thm_…` their first characters, card numbers all but 6 and 4. */
export function mask(text: string): string {
  return text
    .replace(/\b(sk_(?:test|live)_[A-Za-z0-9]{6}_)[A-Za-z0-9._~+/=-]+/g, '$1***')
    .replace(/\b((?:whs|thm)_)[A-Za-z0-9._~+/=-]+/g, '$1***')
    .replace(CARD, (digits) => (luhn(digits) ? cardMask(digits) : digits))
}

function shorten(entry: LoggedRequest): void {
  if (entry.request_body !== undefined && entry.request_body.length > BODY_KEPT) {
    entry.request_body = clip(entry.request_body)
  }
  if (entry.response_body !== undefined && entry.response_body.length > BODY_KEPT) {
    entry.response_body = clip(entry.response_body)
  }
}

/** A new string: a slice would hold on to the whole one. */
function clip(text: string): string {
  return `${Buffer.from(text.slice(0, BODY_KEPT)).toString()}… (shortened)`
}
