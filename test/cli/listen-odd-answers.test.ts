// A receiver's answer that is wrong after its headers: `listen` takes it as the server itself would.

import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createForwarder } from '../../src/cli/commands/listen/forwarder.ts'
import type { ListenerDelivery } from '../../src/client/listener-wire.ts'
import { systemWall } from '../../src/time/wall.ts'

async function forwarded(answer: string) {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => void socket.end(`HTTP/1.1 ${answer}`))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const forwarder = createForwarder({ timeout: 20_000, headers: [], wall: systemWall() })
  onTestFinished(async () => {
    await forwarder.close()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return await forwarder.forward({ url, headers: [], body_b64: '' } as unknown as ListenerDelivery)
}

test.each(['204 No Content\r\nContent-Length: 2\r\n\r\nok', '200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n'])(
  '%j is a success',
  async (answer) => {
    const { status, error } = await forwarded(answer)
    expect({ status, error }).toEqual({ status: Number(answer.slice(0, 3)), error: undefined })
  },
)

test('one that is cut short is a failure', async () => {
  expect(await forwarded('200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nok')).toHaveProperty('error')
})
