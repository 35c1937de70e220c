// Verifies a v2 signature like a receiver, independently of the code that creates it.
import { createHmac } from 'node:crypto'
import type { Received } from './receiver.ts'

export function verifyV2(request: Received | undefined, secret: string | undefined): boolean {
  if (request === undefined || secret === undefined) throw new Error('nothing to verify')
  const header = String(request.headers['x-psp-signature'])
  const { t, v1, v2 } = /^t=(?<t>\d+),v1=(?<v1>[0-9a-f]{64}),v2=(?<v2>[0-9a-f]{64})$/.exec(header)?.groups ?? {}
  const hmac = (...parts: (string | Buffer)[]) =>
    parts.reduce((mac, part) => mac.update(part), createHmac('sha256', secret)).digest('hex')
  return t === request.headers['x-psp-timestamp'] && v1 === hmac(request.body) && v2 === hmac(`${t}.`, request.body)
}
