// Finds the webhook events in a recording, checks their signatures, and masks them for the import.

import { isUtf8 } from 'node:buffer'
import { createHmac } from 'node:crypto'
import type { EventToImport } from '../client/history-types.ts'
import { isCleanJson } from '../domain/clean-json.ts'
import { countOf } from '../domain/count-text.ts'
import { headerValue } from '../domain/delivery.ts'
import { eventIdentityOf } from '../domain/imported-event.ts'
import { omitUndefined } from '../domain/omit-undefined.ts'
import { LAST_RFC3339_INSTANT } from '../domain/time.ts'
import type { SignatureChecker } from './check-signature.ts'
import type { Masking } from './masking.ts'
import { type RecordedMessage, SIGNATURE_HEADER } from './recorded-message.ts'
import { RecordingError } from './recording-error.ts'

export interface CollectOptions {
  /** The key of the pseudonyms. The ids of the events are derived with it. */
  readonly key: Uint8Array
  readonly masking: Masking
  readonly check: SignatureChecker
  /** The time for events without one, in ms. */
  readonly now: number
  /** Called for a message that cannot be imported. It may throw the error. If it returns, the message is skipped. */
  onInvalid(error: RecordingError): void
}

/** An event to import, and what its file says about it. */
export interface CollectedEvent extends EventToImport {
  readonly event: string
  readonly file: string
  /** The explanation of an invalid signature. */
  readonly why?: string
}

export interface Collected {
  readonly events: CollectedEvent[]
  /** The number of events in which a value was masked. */
  masked: number
  /** The number of events that an earlier file contains too. They are collected once. */
  repeated: number
  /** For each signed event with a time of receipt, this time minus the time in its signature, in ms. */
  readonly skews: number[]
}

/** Maximum size of all events of an import, in bytes. The request with these events must be smaller than 64 MiB. */
const MAX_BYTES = 48 * 1024 * 1024

export class EventCollector {
  readonly collected: Collected = { events: [], masked: 0, repeated: 0, skews: [] }
  readonly #options: CollectOptions
  readonly #ids = new Set<string>()
  /** Number of earlier events of the file with the same body, by the hash of the body. */
  readonly #earlierCopies = new Map<string, number>()
  #bytes = 0
  /** The time of the last event of the file, in ms. */
  #lastReceived: number | undefined

  constructor(options: CollectOptions) {
    this.#options = options
  }

  /** Begins another file. An event that an earlier file contains too is the same event. */
  beginFile(): void {
    this.#earlierCopies.clear()
    this.#lastReceived = undefined
  }

  /**
   * Collects the event of a message, unless it was collected before or is invalid. Returns false if the message is not
   * a webhook.
   * @throws RecordingError if the events are too large for one import
   */
  add(message: RecordedMessage, file: string): boolean {
    const { headers, body: bytes, place } = message
    const found = eventIn(bytes)
    const rejected = (problem: string) => {
      this.#options.onInvalid(new RecordingError(`${file} ${place} ${problem}`, SKIP_ADVICE))
      return true
    }
    if (found === undefined) {
      if (headerValue(headers, SIGNATURE_HEADER) === undefined) return false
      return rejected(`has a webhook signature, but ${bodyIssue(message)}`)
    }
    const { body, event } = found
    const { at, signature, cause, why } = this.#check(message, body)
    const received = at ?? this.#timeInFile(body)
    if (!(received >= 0 && received <= LAST_RFC3339_INSTANT))
      return rejected('has a time that is not between the years 1970 and 9999.')
    this.#lastReceived = received
    const id = this.#idOf(body)
    if (this.#ids.has(id)) {
      this.collected.repeated++
      return true
    }
    this.#ids.add(id)
    const masked = this.#options.masking.json(body)
    if (!isCleanJson(masked)) return rejected('contains a secret or a card number that cannot be masked.')
    if (masked !== body) this.collected.masked++
    this.#bytes += Buffer.byteLength(JSON.stringify(masked)) + 300
    if (this.#bytes > MAX_BYTES) {
      throw new RecordingError(
        `${file} ${place}: the events of this import are larger than 48 MiB in total. Nothing was imported.`,
        'Import fewer files at once, or remove entries that are not needed.',
      )
    }
    this.collected.events.push({
      id,
      received_at: new Date(received).toISOString(),
      // Without the directories, which often contain the name of a user.
      source: `${file.replace(/^.*[/\\]/, '')} ${place}`.slice(-300),
      signature,
      ...omitUndefined({ cause, why }),
      body: masked,
      // An unknown name of an event is masked too.
      event: eventIdentityOf(masked)?.event ?? event,
      file,
    })
    return true
  }

  #check({ at, headers, signature }: RecordedMessage, body: string) {
    const result = this.#options.check(body, headerValue(headers, SIGNATURE_HEADER), signature)
    const { signedAt } = result
    if (at !== undefined && signedAt !== undefined) this.collected.skews.push(at - signedAt)
    return { ...result, at: at ?? signedAt }
  }

  /**
   * Returns a time for an event without one: its `created_at`, but not earlier than the previous event of the file.
   * Without `created_at`, it is the time of the previous event, or `now` for the first one.
   */
  #timeInFile(body: string): number {
    const time = createdAt(body) ?? this.#lastReceived ?? this.#options.now
    return Math.max(time, this.#lastReceived ?? time)
  }

  /**
   * Derives the id from the body and not from the time, because files may have different times for the same event.
   * Equal bodies in one file get different ids, and the same ids again at the next import. The key prevents guesses at
   * the body.
   */
  #idOf(body: string): string {
    const hash = this.#hashOf(compactJson(body))
    const count = this.#earlierCopies.get(hash) ?? 0
    this.#earlierCopies.set(hash, count + 1)
    return `imp_${(count === 0 ? hash : this.#hashOf(`${count} ${hash}`)).slice(0, 24)}`
  }

  #hashOf(text: string): string {
    return createHmac('sha256', this.#options.key).update(`imported event\0${text}`).digest('hex')
  }
}

/** Returns the JSON without white space and unnecessary escapes. Numbers keep all their digits. */
function compactJson(text: string): string {
  return text.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|\s+/g, (part) =>
    part.startsWith('"') ? JSON.stringify(JSON.parse(part)) : '',
  )
}

function eventIn(body: Buffer | undefined): { readonly body: string; readonly event: string } | undefined {
  const text = body !== undefined && isUtf8(body) ? body.toString('utf8') : undefined
  const identity = text === undefined ? undefined : eventIdentityOf(text)
  return text === undefined || identity === undefined ? undefined : { body: text, event: identity.event }
}

const SKIP_ADVICE = 'Correct the recording, or use --skip-invalid to leave out what cannot be imported.'

function bodyIssue({ body, noBody }: RecordedMessage): string {
  if (noBody !== undefined) return `no body: ${noBody}`
  if (body === undefined)
    return 'no body. A proxy may have buffered it, for example nginx with a small client_body_buffer_size.'
  if (!isUtf8(body)) return 'its body is binary, so it is not the JSON of an event.'
  try {
    JSON.parse(body.toString('utf8'))
    return 'its body is not an event: it needs the fields id, event and data.'
  } catch {
    return `its body is not complete JSON: it has ${countOf(body.length, 'byte')}.`
  }
}

function createdAt(body: string): number | undefined {
  const time = Date.parse(String((JSON.parse(body) as { created_at?: unknown }).created_at))
  return Number.isNaN(time) ? undefined : time
}
