// Reads the raw bytes of a body, because signatures cover exactly these (spec 5.5).
import type { IncomingMessage } from 'node:http'
import { RefusalError, refuse } from '../domain/errors.ts'
import type { SystemClock } from '../system-clock/system-clock.ts'
import type { Exchange } from './app-env.ts'
import { ConnectionAbortedError } from './connection-aborted.ts'
import { errorObject } from './errors.ts'

const EMPTY = Buffer.alloc(0)

/**
 * The limit in bytes for routes with `largeBody`, whatever the setting `body_limit` is. A much longer row could not be
 * exported, because a string is at most 512 MiB long.
 */
export const LARGE_BODY_LIMIT = 64 * 1024 * 1024

/**
 * The limit in bytes of the body of an import, which is read in chunks. A state of a million payments is about 2 GiB
 * long.
 */
export const IMPORT_LIMIT = 16 * 1024 ** 3

/**
 * Returns the bytes of the body, or an empty buffer if there is no body. Returns no promise if nothing has to be
 * awaited.
 * @param limit in bytes; a larger body is rejected with 413, and is not read to its end
 */
export function readBody(c: Exchange, limit: number): Buffer | Promise<Buffer> {
  const { incoming, body } = c.env ?? {}
  if (body !== undefined) return fromText(body, limit)
  if (incoming === undefined) return fromRequest(c.req.raw, limit)
  if (!hasBody(incoming)) return EMPTY
  if (Number(incoming.headers['content-length']) > limit) throw tooLarge(limit)
  c.env?.sendContinueIfExpected?.()
  return fromSocket(incoming, limit)
}

/** True if a body follows the request's head. */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const length = headers['content-length']
  return length === undefined ? headers['transfer-encoding'] !== undefined : length !== '0'
}

function fromText(text: string, limit: number): Buffer {
  const bytes = Buffer.from(text)
  if (bytes.length > limit) throw tooLarge(limit)
  return bytes
}

function fromSocket(incoming: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let first: Buffer | undefined
    let more: Buffer[] | undefined
    let size = 0
    let settled = false
    const onData = (chunk: Buffer) => {
      size += chunk.length
      if (size > limit) {
        settled = true
        incoming.off('data', onData)
        reject(tooLarge(limit))
      } else if (first === undefined) first = chunk
      else if (more === undefined) more = [first, chunk]
      else more.push(chunk)
    }
    // 'close' is emitted after each request. Creating an error is slow, so it is created only if needed.
    const onDisconnect = () => {
      if (!settled) reject(clientDisconnected())
      settled = true
    }
    incoming.on('data', onData)
    incoming.on('end', () => {
      settled = true
      resolve(more === undefined ? (first ?? EMPTY) : Buffer.concat(more, size))
    })
    incoming.on('error', onDisconnect)
    incoming.on('close', onDisconnect)
  })
}

/** Reads a clone, because the caller may read the request, too. */
function fromRequest(request: Request, limit: number): Buffer | Promise<Buffer> {
  if (isConsumed(request)) throw refuse('bad_request', BODY_CONSUMED)
  const { body } = request.clone()
  return body === null ? EMPTY : fromStream(body, limit)
}

/** A client that sends no byte of a long body for this many ms counts as disconnected. */
const STALL_TIMEOUT = 60_000

/**
 * Yields the chunks of a body, without a limit on the total time. Each chunk is read on demand.
 * @param limit in bytes. A larger body is rejected, and is not read to its end.
 * @throws ConnectionAbortedError if the client disconnects, or sends nothing for a minute
 * @throws RefusalError `payload_too_large`, and `bad_request` if other code has read the body
 */
export async function* bodyChunks(
  c: Exchange,
  systemClock: Pick<SystemClock, 'setTimeout'>,
  limit: number,
): AsyncGenerator<Uint8Array> {
  const { incoming, body } = c.env ?? {}
  if (body !== undefined) {
    yield fromText(body, limit)
    return
  }
  if (incoming === undefined && isConsumed(c.req.raw)) throw refuse('bad_request', BODY_CONSUMED)
  // Not a clone: everything that the caller does not read would stay in memory.
  const source = incoming === undefined ? c.req.raw.body : hasBody(incoming) ? incoming : null
  if (source === null) return
  if (Number(incoming?.headers['content-length']) > limit) throw tooLarge(limit)
  c.env?.sendContinueIfExpected?.()
  c.env?.allowLongBody?.()
  // The connection stays open for the response to a body that is rejected before its end.
  const chunks = 'iterator' in source ? source.iterator({ destroyOnReturn: false }) : source.values()
  let size = 0
  try {
    for (;;) {
      const next = await withStallTimeout(chunks.next(), systemClock)
      if (next.done === true) return
      const chunk = next.value as Uint8Array
      size += chunk.byteLength
      if (size > limit) throw tooLarge(limit)
      yield chunk
    }
  } catch (error) {
    throw error instanceof RefusalError ? error : clientDisconnected()
  } finally {
    void Promise.resolve(chunks.return?.(undefined)).catch(() => {})
  }
}

async function withStallTimeout<T>(work: Promise<T>, systemClock: Pick<SystemClock, 'setTimeout'>): Promise<T> {
  let timer: { cancel(): void } | undefined
  const stalled = new Promise<never>((_, reject) => {
    timer = systemClock.setTimeout(() => reject(new Error('stalled')), STALL_TIMEOUT)
  })
  try {
    return await Promise.race([work, stalled])
  } finally {
    timer?.cancel()
  }
}

async function fromStream(body: ReadableStream<Uint8Array>, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return Buffer.concat(chunks, size)
      size += value.byteLength
      if (size > limit) throw tooLarge(limit)
      chunks.push(value)
    }
  } catch (error) {
    reader.cancel().catch(() => {})
    throw error instanceof RefusalError ? error : clientDisconnected()
  }
}

function tooLarge(limit: number): RefusalError {
  const source = limit >= LARGE_BODY_LIMIT ? '' : ' (setting body_limit)'
  return refuse('payload_too_large', `The body is larger than ${limit} bytes${source}.`)
}

function clientDisconnected(): ConnectionAbortedError {
  return new ConnectionAbortedError('The client closed the connection before its body was complete.')
}

type Body = Pick<Request, 'bodyUsed' | 'body'>

const BODY_CONSUMED =
  'The body of this request was read before the sandbox received the request. Read a clone instead: await request.clone().json().'

/** Returns whether the body of a request was already read, or is being read, by something else. */
export function isConsumed({ bodyUsed, body }: Body): boolean {
  return bodyUsed || body?.locked === true
}

/** Returns the response to a request for which {@link isConsumed} is true, for adapters that cannot pass it on. */
export function consumedBodyResponse(): Response {
  return Response.json(errorObject('bad_request', BODY_CONSUMED), { status: 400 })
}
