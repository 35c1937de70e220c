// The bytes that the HTTP parser receives from an observed connection.
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { ResponseHeadError } from '../../src/domain/http-response.ts'
import { createConnectionSlot } from '../../src/receiver-client/connection.ts'

const KIB = 1024

/** A slot whose socket records the bytes for the parser and the errors that close it. */
function connected() {
  const parsed: (string | null)[] = []
  const errors: unknown[] = []
  const socket = {
    push(chunk: Buffer | null) {
      parsed.push(chunk === null ? null : chunk.toString())
      return true
    },
    destroy: (error: unknown) => errors.push(error),
  }
  const slot = createConnectionSlot()
  const connect = slot.watching((_, callback) => callback(null, socket as unknown as Socket))
  connect({ hostname: 'localhost', protocol: 'http:', port: '80' }, () => {})
  const receive = (chunk: string | null) => socket.push(chunk === null ? null : Buffer.from(chunk))
  return { slot, receive, parsed, errors }
}

const headOf = (bytes: number) => `HTTP/1.1 200 OK\r\nA: ${'x'.repeat(bytes - 24)}\r\n\r\n`

test('a connection that receives bytes and ends before its first request passes both on', () => {
  const { receive, parsed, errors } = connected()
  expect([receive('early'), receive(null)]).toEqual([true, true])
  expect([parsed, errors]).toEqual([['early', null], []])
})

test('headers above the limit are not passed on, and close the connection with their size', () => {
  const { slot, receive, parsed, errors } = connected()
  slot.begin()
  expect(receive(headOf(64 * KIB + 1))).toBe(false)
  expect([parsed, errors]).toEqual([[], [new ResponseHeadError('PSP_HEAD_OVERFLOW', 64 * KIB + 1)]])
})

test('headers above the limit that end early close the connection with the measured size', () => {
  const { slot, receive, parsed, errors } = connected()
  slot.begin()
  const results = [receive(headOf(80 * KIB).slice(0, 70 * KIB)), receive(null)]
  expect([results, parsed]).toEqual([[true, false], ['']])
  expect(errors).toEqual([new ResponseHeadError('PSP_HEAD_OVERFLOW', 70 * KIB, true)])
})
