// Responses that are not quite valid HTTP, as bytes.

import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { classifyResponse } from '../../src/delivery/classify-response.ts'
import { createTransport } from '../../src/receiver-client/undici-transport.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'

async function sent(answer: string) {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => void socket.end(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const transport = createTransport(createSystemClock())
  onTestFinished(async () => {
    await transport.close()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return await transport.send({
    url: `http://127.0.0.1:${port}/`,
    headers: [['Content-Type', 'application/json']],
    body: Buffer.from('{}'),
    deadline_ms: 20_000,
  })
}

test.each([
  ['a 204 with a body', '204 No Content\r\nContent-Length: 2\r\n\r\nok'],
  ['a 205 with a body', '205 Reset\r\nContent-Length: 2\r\n\r\nok'],
  ['a body longer than its Content-Length', '200 OK\r\nContent-Length: 1\r\nConnection: close\r\n\r\nok'],
  ['an invalid chunk', '200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n'],
])('a response with %s succeeds', async (_, answer) => {
  expect(classifyResponse(await sent(`HTTP/1.1 ${answer}`))).toEqual({ delivered: true })
})

test.each([
  ['a body cut short', '200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nok', 'in the middle of its response'],
  ['two lengths', '200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok', 'several Content-Length headers'],
  ['a status of 000', '000 No\r\nContent-Length: 0\r\n\r\n', 'a status below 100'],
  ['a 500 with an invalid chunk', '500 No\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n', 'HTTP'],
])('a response with %s fails with a message', async (_, answer, words) => {
  const { delivered, error } = classifyResponse(await sent(`HTTP/1.1 ${answer}`))
  expect(delivered).toBe(false)
  expect(error).toContain(words)
  expect(error).not.toMatch(/assert|undefined|HPE_/)
})

test('an error names port 0 as it was written', async () => {
  const transport = createTransport(createSystemClock())
  onTestFinished(() => transport.close())
  const { error } = await transport.send({
    url: 'http://127.0.0.1:0/',
    headers: [],
    body: Buffer.from('{}'),
    deadline_ms: 20_000,
  })
  expect(error).toContain('127.0.0.1:0')
})
