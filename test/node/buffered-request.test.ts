import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { BufferedIncomingMessage } from '../../src/node/buffered-request.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** Sends the pieces one after the other; each request is told to `take`. */
async function exchange(
  pieces: readonly string[],
  take: (message: BufferedIncomingMessage) => Promise<string>,
): Promise<string> {
  const server = createServer({ IncomingMessage: BufferedIncomingMessage }, (message, response) => {
    take(message).then((text) => response.end(text))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  closers.push(() => {
    socket.destroy()
    server.close()
  })
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  for (const piece of pieces) {
    socket.write(piece)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await once(socket, 'close')
  return answer
}

const post = (length: number, last = '') => `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n${last}\r\n`

async function whole(message: BufferedIncomingMessage): Promise<string> {
  message.bufferBody()
  return `<${await message.bufferedBody()}>`
}

describe('a message that is owned', () => {
  it('has its body whole, however it was cut, and the connection goes on to the next', async () => {
    const answer = await exchange([post(6), 'abc', 'def', post(3), 'ghi', post(0, 'Connection: close\r\n')], whole)
    expect(answer.match(/<.*?>/g)).toEqual(['<abcdef>', '<ghi>', '<>'])
  })

  it('may be answered before its body came, which nobody reads then', async () => {
    const early = (message: BufferedIncomingMessage) => {
      message.bufferBody()
      return Promise.resolve('<early>')
    }
    const answer = await exchange([post(6), 'abc', 'def', post(0, 'Connection: close\r\n')], early)
    expect(answer.match(/<.*?>/g)).toEqual(['<early>', '<early>'])
  })

  it('rejects where the caller goes before the last byte', async () => {
    const server = createServer({ IncomingMessage: BufferedIncomingMessage })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    closers.push(() => server.close())
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.write(`${post(6)}abc`)
    const [message] = (await once(server, 'request')) as [BufferedIncomingMessage]
    message.bufferBody()
    const body = message.bufferedBody()
    socket.destroy()
    await expect(body).rejects.toThrow('fetch failed')
  })
})

describe('a message that is not', () => {
  it('is a stream like any other', async () => {
    const streamed = async (message: BufferedIncomingMessage) => {
      let text = ''
      for await (const chunk of message) text += chunk
      return `<${text}>${message.bufferedBody()}`
    }
    const answer = await exchange([post(6), 'abc', 'def', post(0, 'Connection: close\r\n')], streamed)
    expect(answer.match(/<.*?>(undefined)?/g)).toEqual(['<abcdef>undefined', '<>undefined'])
  })
})
