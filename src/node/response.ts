import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionAbortedError } from '../http/connection-aborted.ts'
import { hasBody } from '../http/read-body.ts'
import type { SystemClock } from '../system-clock/system-clock.ts'

/** A connection stays open for the next request if an unread body has at most this many bytes. They are discarded. */
const DISCARDED_BYTES = 256 * 1024

/**
 * Creates the response class of a server. A response before the body of the request was read has `Connection: close`,
 * unless the body is short.
 * @param closeUnread closes the connection of a request whose body was not read
 */
export function responseClass(
  closeUnread: (socket: Socket) => void,
  isClosing: () => boolean,
): typeof ServerResponse<IncomingMessage> {
  return class extends ServerResponse<IncomingMessage> {
    override writeHead(status: number, ...rest: unknown[]): this {
      if (isClosing()) this.shouldKeepAlive = false
      const { req } = this
      if (!req.complete && hasBody(req)) {
        if (!(Number(req.headers['content-length']) <= DISCARDED_BYTES)) this.shouldKeepAlive = false
        const { socket } = req
        // Node calls `destroySoon` after the last response of a connection.
        socket.destroySoon = () => closeUnread(socket)
      }
      return super.writeHead(status, ...(rest as []))
    }
  }
}

/** Closes the connection of a request, after half of the response if `partial` is present. */
export function abortResponse(outgoing: ServerResponse, { partial }: ConnectionAbortedError): void {
  const { socket } = outgoing
  if (partial === undefined || socket === null) {
    socket?.destroy()
    return
  }
  const bytes = Buffer.from(partial.body)
  outgoing.writeHead(partial.status, { ...partial.headers, 'Content-Length': bytes.length })
  outgoing.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => socket.destroy())
}

/** How much of an unread request is still read before its connection is closed. */
interface DiscardLimits {
  readonly bytes: number
  readonly ms: number
}

const DISCARD_LIMITS: DiscardLimits = { bytes: 256 * 1024 * 1024, ms: 10_000 }

/**
 * Closes a connection in stages (RFC 9112 section 9.6): ends the sending side, then discards what the client still
 * sends. An immediate close resets the connection while the client writes, and the client loses the response.
 */
export function closeInStages(
  socket: Socket,
  systemClock: Pick<SystemClock, 'setTimeout'>,
  { bytes, ms }: DiscardLimits = DISCARD_LIMITS,
): void {
  socket.end()
  let left = bytes
  // The parser must not see another request, because no response to it could be sent.
  socket.removeAllListeners('data')
  socket.on('data', (chunk) => {
    left -= chunk.length
    if (left < 0) socket.destroy()
  })
  // The parser read the handle directly and may have paused it. An empty chunk ends its read, so a new one starts.
  socket.push('')
  socket.resume()
  const deadline = systemClock.setTimeout(() => socket.destroy(), ms)
  deadline.unref?.()
  socket.once('close', () => deadline.cancel())
}
