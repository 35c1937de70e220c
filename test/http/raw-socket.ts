// Requests as bytes over node:net: clients refuse to send half of what is tried here.
import { connect } from 'node:net'
import { expect } from 'vitest'
import { API_ERRORS } from '../../src/domain/errors.ts'

export interface Answer {
  readonly status: number
  readonly text: string
}

const CODES: ReadonlySet<string> = new Set(Object.keys(API_ERRORS))

/** No 5xx but a planned one, and always the error object. */
export function check({ status, text }: Answer, method: string): void {
  // Plans and magic values may ask for these.
  expect([500, 502]).not.toContain(status === 502 || PLANNED.test(text) ? 0 : status)
  expect(status).toBeLessThan(503)
  if (method === 'HEAD') expect(text).toBe('')
  if (method === 'HEAD' || status < 400) return
  const { error, ...rest } = JSON.parse(text)
  expect(rest).toEqual({})
  expect(CODES).toContain(error.code)
  expect(error.message).toEqual(expect.any(String))
  expect(text).not.toMatch(/at .*\.[jt]s:\d+/)
}

const PLANNED = /"internal_error","message":"An internal error happened\."/

/** Through node:net, since clients refuse to send half of what is tried here. */
export async function send(
  port: number,
  method: string,
  path: string,
  body: string,
  headers: Record<string, string>,
): Promise<Answer> {
  const bytes = Buffer.from(body)
  const lines = Object.entries({ 'Content-Type': 'application/json', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  const head = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...lines,
    `Content-Length: ${bytes.length}`,
    'Connection: close',
  ]
  const got = await raw(port, Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), bytes]))
  const [top = '', ...rest] = got.split('\r\n\r\n')
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(top)?.[1]), text: rest.join('\r\n\r\n') }
}

/** Writes the bytes, with `half` ends its own side, and gives what came until the server ended its; of a stream, its head. */
export function raw(port: number, bytes: Uint8Array, half = false): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      if (half) socket.end(bytes)
      else socket.write(bytes)
    })
    let got = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => {
      got += chunk
      // It would go on for ever.
      if (/\r\ncontent-type: text\/event-stream\r\n(.|\r\n)*?\r\n\r\n/i.test(got)) socket.destroy()
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(got))
  })
}
