// Filters the bytes of a connection to a receiver before undici parses them (see `response-head.ts`), and records
// whether a byte was received for the request in flight.
import type { Socket } from 'node:net'
import type { buildConnector } from 'undici'
import { createResponseHead, type ResponseHead } from './response-head.ts'

type Connector = buildConnector.connector

export interface Connection {
  /** Called when a request is written. */
  begin(): void
  /** Returns true if the connection was used by an earlier request, and nothing was received for the current one. */
  isStale(): boolean
}

export interface ConnectionSlot extends Connection {
  /** Wraps a connector of undici, so that the slot filters each socket that the connector creates. */
  watching(connect: Connector): Connector
}

/** Creates the slot of an undici client, which has one connection after another. */
export function createConnectionSlot(): ConnectionSlot {
  let requests = 0
  let head: ResponseHead | undefined
  let responded = false

  function watch(socket: Socket): void {
    requests = 0
    head = undefined
    const push = socket.push.bind(socket)
    socket.push = (chunk: Buffer | null) => {
      if (head === undefined) return push(chunk)
      if (chunk === null) return end(socket, push, head)
      responded = true
      try {
        return push(head.read(chunk))
      } catch (error) {
        socket.destroy(error as Error)
        return false
      }
    }
  }

  return {
    begin() {
      requests++
      head = createResponseHead()
      responded = false
    },
    isStale: () => requests > 1 && !responded,
    watching(connect) {
      return (options, callback) =>
        connect(options, (...result) => {
          const [, socket] = result
          // If the connection fails, undici passes only the error.
          if (socket) watch(socket)
          callback(...result)
        })
    },
  }
}

function end(socket: Socket, push: (chunk: null) => boolean, head: ResponseHead): boolean {
  const error = head.end()
  if (error === undefined) return push(null)
  socket.destroy(error)
  return false
}
