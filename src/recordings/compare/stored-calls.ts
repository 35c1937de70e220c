// Stores calls in a file, because a recording can be larger than memory. Only the outlines of the calls are in memory.

import type { JsonObject } from '../../domain/json-values.ts'
import type { HarEntry } from '../har.ts'
import {
  type CallOutline,
  type CallResponse,
  type HeaderMap,
  type ObservedState,
  type RecordedCall,
  recordedCall,
} from './recorded-call.ts'

export interface CallFile {
  /** Returns the position of the bytes. */
  append(bytes: Uint8Array): number
  read(at: number, length: number): Buffer
}

export class CallStore {
  readonly #file: CallFile
  readonly #texts = new Map<string, string>()
  /** The call that was read last. A step of a replay uses the parts of one call. */
  #last: { readonly of: CallOutline; readonly call: RecordedCall } | undefined

  constructor(file: CallFile) {
    this.#file = file
  }

  /** Returns `undefined` for traffic that does not belong to the public API. */
  add(entry: HarEntry, number: number): RecordedCall | undefined {
    const call = recordedCall(entry, number)
    if (call === undefined) return undefined
    const { startedDateTime, time, request, response, timings, _closed_by } = entry
    const { method, url, headers, bodySize, postData } = request
    const { status, headers: received, content } = response
    const kept = {
      startedDateTime,
      time,
      request: { method, url, headers, bodySize, postData },
      response: { status, headers: received, content },
      timings,
      _closed_by,
    }
    const bytes = Buffer.from(JSON.stringify(kept))
    return new StoredCall(call, { at: this.#file.append(bytes), length: bytes.length }, this)
  }

  /** Returns the first equal string, so that each string is in memory only once. */
  intern(text: string): string {
    const known = this.#texts.get(text)
    if (known === undefined) this.#texts.set(text, text)
    return known ?? text
  }

  load(outline: CallOutline, { at, length }: Place): RecordedCall {
    if (this.#last?.of === outline) return this.#last.call
    const entry = JSON.parse(this.#file.read(at, length).toString('utf8')) as HarEntry
    const call = recordedCall(entry, outline.number) as RecordedCall
    this.#last = { of: outline, call }
    return call
  }
}

interface Place {
  readonly at: number
  readonly length: number
}

class StoredCall implements RecordedCall {
  readonly number: number
  readonly startedAt: number
  readonly endedAt: number
  readonly operation: string
  readonly objectId?: string
  readonly key?: string
  readonly status: number
  readonly code?: string
  readonly shows?: ObservedState
  readonly size: number
  readonly #place: Place
  readonly #store: CallStore

  constructor(call: CallOutline, place: Place, store: CallStore) {
    this.number = call.number
    this.startedAt = call.startedAt
    this.endedAt = call.endedAt
    this.operation = store.intern(call.operation)
    this.status = call.status
    this.size = call.size
    if (call.objectId !== undefined) this.objectId = store.intern(call.objectId)
    if (call.key !== undefined) this.key = store.intern(call.key)
    if (call.code !== undefined) this.code = store.intern(call.code)
    if (call.shows !== undefined) this.shows = new StoredState(this, call.shows, store)
    this.#place = place
    this.#store = store
  }

  get #whole(): RecordedCall {
    return this.#store.load(this, this.#place)
  }

  get method(): string {
    return this.#whole.method
  }

  get path(): string {
    return this.#whole.path
  }

  get headers(): HeaderMap {
    return this.#whole.headers
  }

  get body(): string {
    return this.#whole.body
  }

  get isBodyKnown(): boolean {
    return this.#whole.isBodyKnown
  }

  get requestJson(): JsonObject | undefined {
    return this.#whole.requestJson
  }

  get response(): CallResponse | undefined {
    return this.#whole.response
  }

  get respondedAt(): number {
    return this.#whole.respondedAt
  }

  get isClosedByClient(): boolean {
    return this.#whole.isClosedByClient
  }

  /** The object that {@link shows} describes. */
  get shownObject(): JsonObject | undefined {
    return this.#whole.shows?.object
  }
}

class StoredState implements ObservedState {
  readonly id: string
  readonly type: ObservedState['type']
  readonly status: string
  readonly #call: StoredCall

  constructor(call: StoredCall, { id, type, status }: ObservedState, store: CallStore) {
    this.id = store.intern(id)
    this.type = type
    this.status = store.intern(status)
    this.#call = call
  }

  get object(): JsonObject | undefined {
    return this.#call.shownObject
  }
}
