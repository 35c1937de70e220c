// A connection to a receiver, and what has arrived on it for the request in flight.
import type { Socket } from 'node:net'
import type { buildConnector } from 'undici'
import { createResponseHead, type ResponseHead } from './response-head.ts'

type Connector = buildConnector.connector

export interface Connection {
  /** Called when a request is written. */
  begin(): void
  /** True if the connection had served a request before, and nothing has arrived for the one in flight. */
  isStale(): boolean
}

export interface ConnectionSlot extends Connection {
  /** Wraps a connector of undici, so that the slot sees each socket it makes. */
  watching(connect: Connector): Connector
}

/** Belongs to a client of undici, which has one connection after another. */
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
          // undici passes an error alone.
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
