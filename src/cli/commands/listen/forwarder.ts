// Hands one webhook to the receiver: the raw bytes, the signed headers, no redirect followed, one deadline for everything.
import type { LookupFunction } from 'node:net'
import { Agent, type Dispatcher, request } from 'undici'
import { reasonOf } from '../../../client/errors.ts'
import type { ListenerDelivery } from '../../../client/listener-wire.ts'
import { codeOf, isTaken } from '../../../domain/exchange-failures.ts'
import { isLocalhost, lookupLocalhost } from '../../../domain/loopback.ts'
import { formatDuration } from '../../../domain/time.ts'
import type { WallClock } from '../../../time/wall.ts'

export interface Answer {
  /** Absent when no answer came. */
  readonly status?: number
  readonly error?: string
  /** `ECONNREFUSED` and the like, where the network failed. */
  readonly errorCode?: string
  readonly ms: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer
}

export interface Forwarder {
  forward(delivery: ListenerDelivery): Promise<Answer>
  close(): Promise<void>
}

export interface ForwarderOptions {
  /** ms for the whole exchange; absent: what the service gives. */
  readonly timeout: number | undefined
  /** Added to each request; replace headers of the same name. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly wall: Pick<WallClock, 'setTimeout' | 'monotonic'>
}

/** Bytes kept of an answer; the rest is read and dropped up to {@link READ_LIMIT}. */
const KEPT = 64 * 1024
const READ_LIMIT = 4 * 1024 * 1024

/** ms of the service's own deadline (spec 6.1), for a server that does not say. */
const DEFAULT_TIMEOUT = 15_000

export function createForwarder({ timeout, headers, wall }: ForwarderOptions): Forwarder {
  const agent = new Agent({
    connections: 256,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: 0, autoSelectFamily: true, lookup },
  })

  async function forward(delivery: ListenerDelivery): Promise<Answer> {
    const began = wall.monotonic()
    const controller = new AbortController()
    const limit = timeout ?? delivery.timeout_ms ?? DEFAULT_TIMEOUT
    const late = `no answer within ${formatDuration(limit)}`
    const deadline = wall.setTimeout(() => controller.abort(new Error(late)), limit)
    const took = () => Math.round(wall.monotonic() - began)
    try {
      const reply = await request(delivery.url, {
        method: 'POST',
        headers: merged(delivery.headers, headers),
        body: Buffer.from(delivery.body_b64, 'base64'),
        dispatcher: agent,
        signal: controller.signal,
        responseHeaders: 'raw',
      })
      const answer = { status: reply.statusCode, headers: pairs(reply) }
      const body = await readBody(reply, (error, bytes) => isTaken(answer.status, answer.headers, bytes, error))
      return { ...answer, ms: took(), body }
    } catch (error) {
      const reason = controller.signal.aborted ? late : reasonOf(error)
      const code = controller.signal.aborted ? 'ETIMEDOUT' : codeOf(error)
      return { error: reason, ms: took(), headers: [], body: Buffer.alloc(0), ...(code && { errorCode: code }) }
    } finally {
      deadline.cancel()
    }
  }

  return { forward, close: () => agent.destroy() }
}

function merged(signed: ListenerDelivery['headers'], added: ForwarderOptions['headers']): string[] {
  const replaced = new Set(added.map(([name]) => name.toLowerCase()))
  return [...signed.filter(([name]) => !replaced.has(name.toLowerCase())), ...added].flat()
}

/** @param isEnough whether what broke it off counts as its end */
async function readBody(
  { body }: Dispatcher.ResponseData,
  isEnough: (error: unknown, bytes: number) => boolean,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let kept = 0
  let read = 0
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      read += chunk.length
      if (kept < KEPT) {
        chunks.push(chunk.subarray(0, KEPT - kept))
        kept += chunk.length
      }
      if (read > READ_LIMIT) break
    }
  } catch (error) {
    if (!isEnough(error, read)) throw error
  }
  return Buffer.concat(chunks)
}

/** With `raw` undici gives names and values in turn, as they came, whatever its types say. */
function pairs({ headers }: Dispatcher.ResponseData): [string, string][] {
  const flat: readonly string[] = Array.isArray(headers) ? headers : []
  return flat.flatMap((name, at) => (at % 2 === 0 ? [[name, flat[at + 1] ?? ''] as [string, string]] : []))
}

/** The system's resolver costs a start of this command time it needs for nothing but other hosts. */
const lookup: LookupFunction = (hostname, options, done) => {
  if (isLocalhost(hostname)) lookupLocalhost(options, done)
  else
    import('node:dns').then(
      (dns) => dns.lookup(hostname, options, done),
      (error) => done(error, []),
    )
}
