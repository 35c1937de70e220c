// Responds with the error object to requests that do not reach the app.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { quoteText } from '../domain/characters.ts'
import { API_ERRORS, type ApiErrorCode } from '../domain/errors.ts'
import { errorObject } from '../http/errors.ts'

const TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT'

const STATUS_LINES: { readonly [code: string]: string } = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  [TIMEOUT]: '408 Request Timeout',
}

const JSON_TYPE = 'application/json; charset=utf-8'

/** Rejects bytes that are not HTTP. The client must not take this response for the response to an earlier request. */
export interface ClientErrorHandler {
  /**
   * Called for each request. If malformed bytes follow, the handler waits for the responses to all requests of the
   * connection, because a response to these bytes must be the last one.
   */
  follow(incoming: IncomingMessage, outgoing: ServerResponse): void
  /** Exempts the request of this response from the request timeout, because its body may be long. */
  allowLong(outgoing: ServerResponse): void
  /** Handles the `clientError` event of the server. */
  refuse(error: NodeJS.ErrnoException, socket: Duplex): void
}

/**
 * @param close closes a connection whose client may still be sending
 * @param prefix the beginning of each error message
 */
export function createClientErrorHandler(close: (socket: Socket) => void, prefix = ''): ClientErrorHandler {
  /** The responses of each connection, oldest first. The last one may be finished. */
  const responses = new WeakMap<Duplex, ServerResponse[]>()
  const waiting = new WeakSet<ServerResponse>()
  const long = new WeakSet<ServerResponse>()

  function follow({ socket }: IncomingMessage, outgoing: ServerResponse): void {
    const earlier = responses.get(socket)
    if (earlier === undefined) {
      responses.set(socket, [outgoing])
      return
    }
    while (earlier[0]?.writableFinished) earlier.shift()
    earlier.push(outgoing)
  }

  function refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const all = responses.get(socket) ?? []
    const newest = all.at(-1)
    // This request is exempt. Node reports a timeout only once for each request.
    if (error.code === TIMEOUT && newest !== undefined && long.has(newest) && !newest.req.complete) return
    // The response to a request that was rejected closes the connection, so no other response may follow it.
    const last = all.find((response) => rejected.has(response))
    if (last !== undefined) {
      // Earlier responses may still be queued or in flight. This one is sent after them.
      if (last.writableFinished) close(socket as Socket)
      else last.once('finish', () => close(socket as Socket))
      return
    }
    const current = all.find((response) => !response.writableFinished)
    if (current === undefined && newest !== undefined && closesConnection(newest)) close(socket as Socket)
    else if (current === undefined) end(socket, error.code)
    // Bytes written now would be read as part of the response in flight.
    else if (current.headersSent && !current.writableEnded) socket.destroy()
    else if (current === newest && !current.req.complete) end(socket, error.code)
    else if (!waiting.has(current)) {
      waiting.add(current)
      current.once('close', () => refuse(error, socket))
    }
  }

  function end(socket: Duplex, code: string | undefined): void {
    socket.write(refusal(code, prefix))
    close(socket as Socket)
  }

  return {
    refuse,
    follow,
    allowLong: (outgoing) => void long.add(outgoing),
  }
}

function refusal(code = 'not HTTP', prefix: string): string {
  const body = JSON.stringify(errorObject('bad_request', `${prefix}The request could not be read as HTTP (${code}).`))
  const line = STATUS_LINES[code] ?? '400 Bad Request'
  return `HTTP/1.1 ${line}\r\nContent-Type: ${JSON_TYPE}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`
}

/** Handles the `checkExpectation` event of the server: an `Expect` header that is not `100-continue`. */
export function refuseExpectation(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const shown = quoteText(String(incoming.headers.expect))
  const message = `Expect: expected 100-continue or none, got ${shown}. Leave the header out.`
  endWithError(outgoing, 417, 'bad_request', message)
}

/** Returns the response to a request whose target or Host header is not valid in a URL. */
export function malformedRequestResponse(error: Error): Response {
  return json(400, errorObject('bad_request', `The request's path or Host header could not be read: ${error.message}.`))
}

const INTERNAL_ERROR = API_ERRORS.internal_error

/** Returns the response for an internal error outside of the app. The app handles its own errors. */
export function internalErrorResponse(): Response {
  return json(INTERNAL_ERROR.status, errorObject('internal_error', INTERNAL_ERROR.message))
}

/** Like {@link internalErrorResponse}, for an adapter that could not be loaded. */
export function respondWithInternalError(outgoing: ServerResponse): void {
  endWithError(outgoing, INTERNAL_ERROR.status, 'internal_error', INTERNAL_ERROR.message)
}

const rejected = new WeakSet<ServerResponse>()

/** Returns whether no response may follow this one. */
function closesConnection(response: ServerResponse): boolean {
  return !response.shouldKeepAlive || String(response.getHeader('connection')).toLowerCase() === 'close'
}

function endWithError(outgoing: ServerResponse, status: number, code: ApiErrorCode, message: string): void {
  rejected.add(outgoing)
  const body = JSON.stringify(errorObject(code, message))
  const headers = { 'Content-Type': JSON_TYPE, 'Content-Length': Buffer.byteLength(body), Connection: 'close' }
  outgoing.writeHead(status, headers).end(body)
}

function json(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': JSON_TYPE, Connection: 'close' } })
}

/** Rejects a request if a proxy could see another host or another end of the body. Returns whether it did. */
export function refuseIfAmbiguous(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
  const message = ambiguityMessage(incoming)
  if (message === undefined) return false
  endWithError(outgoing, 400, 'bad_request', message)
  return true
}

function ambiguityMessage({ headers, rawHeaders }: IncomingMessage): string | undefined {
  const coding = headers['transfer-encoding']
  if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked') {
    const shown = quoteText(coding)
    return `Transfer-Encoding: expected chunked or none, got ${shown}. Send the body unencoded, or in chunks.`
  }
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts > 1 ? 'Host: expected one header, got several. Send it once.' : undefined
}
