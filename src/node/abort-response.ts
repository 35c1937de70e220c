// The end of a connection that the simulator breaks.
import type { ServerResponse } from 'node:http'
import type { ConnectionAbortedError } from '../http/connection-aborted.ts'

/** Half of the answer where some of it was to arrive, then the end of the connection. */
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
