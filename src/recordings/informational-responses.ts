// RFC 9110 section 15.2: a proxy forwards every informational response (1xx).
import type { InformationEvent, ServerResponse } from 'node:http'
import { headerPairs } from './forwarded-headers.ts'

/**
 * Sends an informational response as it was received. Node's methods reject valid hints and drop other fields.
 * @param outgoing has not sent its final header yet
 */
export function writeInformation(
  outgoing: ServerResponse,
  { statusCode, statusMessage, rawHeaders }: Pick<InformationEvent, 'statusCode' | 'statusMessage' | 'rawHeaders'>,
): void {
  // Node must write this response itself. Otherwise it closes the connection of a client that waits for a 100.
  if (statusCode === 100) {
    outgoing.writeContinue()
    return
  }
  const lines = headerPairs(rawHeaders).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `HTTP/1.1 ${statusCode} ${printableReason(statusMessage)}\r\n${lines.join('')}\r\n`
  // A response to a pipelined request has no socket until the previous response has ended.
  if (outgoing.socket === null) outgoing.once('socket', (socket) => socket.write(head, 'latin1'))
  else outgoing.socket.write(head, 'latin1')
}

/** Replaces characters that a reason phrase must not contain (RFC 9112 section 4). */
export function printableReason(text: string): string {
  return text.replace(/[^\t\x20-\x7e\x80-\xff]/g, ' ')
}
