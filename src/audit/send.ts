// Sends a message to the handler with any `fetch`.

import type { FetchLike, FetchResponse } from '../client/fetch-like.ts'
import { omitUndefined } from '../domain/omit-undefined.ts'
import { pause } from '../domain/promises.ts'
import {
  codeOf,
  describeFailure,
  describeTimeout,
  type Phase,
  withoutHttp2Advice,
} from '../domain/receiver-failures.ts'
import { createResponseBody } from '../receiver-client/response-body.ts'
import type { SystemClock } from '../system-clock/system-clock.ts'
import type { Message } from './check.ts'
import type { Send } from './ports.ts'
import { visit } from './visit.ts'

export interface SendOptions {
  readonly url: string
  readonly fetch: FetchLike
  /** The deadline of the whole exchange, in ms. */
  readonly timeout: number
  /** The pause between the pieces of a slow body, in ms. */
  readonly pause: number
  /** Headers in addition to those of the service. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly systemClock: Pick<SystemClock, 'setTimeout' | 'monotonic'>
}

/** The maximum number of characters of a response that are kept. */
const MAX_KEPT = 500

export function createSend(options: SendOptions): Send {
  const { url, fetch, timeout, systemClock } = options
  let hasResponded = false
  return async (message) => {
    let sentAt = systemClock.monotonic()
    const onSent = () => {
      sentAt = systemClock.monotonic()
    }
    const controller = new AbortController()
    const limit = message.abandonAfter ?? timeout
    const deadline = systemClock.setTimeout(() => controller.abort(), limit)
    const ms = () => Math.round(systemClock.monotonic() - sentAt)
    let phase: Phase = 'waiting'
    let status: number | undefined
    const kind = message.visit === undefined ? {} : { isVisit: true as const }
    try {
      if (message.visit !== undefined) {
        const page = await visit(message.visit, { fetch, headers: options.headers, signal: controller.signal })
        return { status: page.status, ms: ms(), text: '', page, ...kind }
      }
      const reply = await fetch(url, { ...initOf(message, options, onSent), signal: controller.signal })
      phase = 'reading'
      status = reply.status
      hasResponded = true
      return { status, ms: ms(), text: await beginning(reply) }
    } catch (error) {
      const to = message.visit ?? url
      const why = controller.signal.aborted ? describeTimeout(to, limit, phase) : describeFailure(error, to, phase)
      const code = controller.signal.aborted ? 'ETIMEDOUT' : codeOf(error)
      return {
        error: hasResponded ? withoutHttp2Advice(why) : why,
        ms: ms(),
        text: '',
        ...kind,
        ...omitUndefined({ code, status }),
      }
    } finally {
      deadline.cancel()
    }
  }
}

function initOf({ headers, body, pieces }: Message, options: SendOptions, onSent: () => void) {
  const { headers: added } = options
  const all = { ...Object.fromEntries(headers), ...Object.fromEntries(added) }
  const bytes = new Uint8Array(body)
  const init = { method: 'POST', headers: all, body: bytes, redirect: 'manual' } as const
  return pieces === undefined ? init : { ...init, pieces: slowly(bytes, pieces, options, onSent) }
}

/** @param onSent called before each piece, so that the response time does not contain the pauses */
async function* slowly(
  body: Uint8Array,
  pieces: number,
  { pause: interval, systemClock }: Pick<SendOptions, 'pause' | 'systemClock'>,
  onSent: () => void,
): AsyncGenerator<Uint8Array> {
  const length = Math.ceil(body.length / pieces)
  for (let at = 0; at < body.length; at += length) {
    if (at > 0) await pause(interval, systemClock)
    onSent()
    yield body.subarray(at, at + length)
  }
}

/** Reads as much of the body as the service does, and returns its beginning. */
async function beginning({ headers, body }: FetchResponse): Promise<string> {
  const read = createResponseBody()
  for await (const chunk of body ?? []) if (!read.add(chunk)) break
  const encoding = headers.get('content-encoding') ?? ''
  const { text, b64 = '' } = (await read.recorded([['Content-Encoding', encoding]], true)) ?? {}
  return (text ?? Buffer.from(b64, 'base64').toString()).slice(0, MAX_KEPT)
}
