import type { ServerResponse } from 'node:http'
import type { ConnectionAbortedError } from '../http/connection-aborted.ts'

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
