import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { hasBody } from '../http/read-body.ts'

/** Bytes of an unread body that are discarded to keep the connection for the next request. */
const DISCARDED_BYTES = 256 * 1024

/**
 * Creates the response class of a server. A response that is sent before the body was read has `Connection: close`, unless
 * the rest of the body is short.
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
        // Node calls it after the last response of a connection.
        socket.destroySoon = () => closeUnread(socket)
      }
      return super.writeHead(status, ...(rest as []))
    }
  }
}
