// Spec 6.1: the vectors against this project, against node:crypto and against the openssl program.
import { createHmac } from 'node:crypto'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import vectors from '../../fixtures/signature-vectors.json' with { type: 'json' }
import { signRequest } from '../../src/domain/signatures.ts'
import { verifyWebhook } from '../../src/webhooks/index.ts'
import { signWebhook } from '../../src/webhooks/sign-webhook.ts'

const hasOpenssl = !(await execa('openssl', ['version'], { reject: false })).failed

describe.each(vectors)('the signature vector $name', ({ secret, timestamp, body_b64, v1, v2 }) => {
  const body = Buffer.from(body_b64, 'base64')

  test('is the result of signWebhook and signRequest', () => {
    expect(signWebhook({ body, secret, timestamp, version: 'v1' })).toBe(v1)
    expect(signWebhook({ body, secret, timestamp })).toBe(v2)
    expect(signRequest(body, secret)).toBe(v1)
  })

  test('is the result of node:crypto', () => {
    const hex = (message: Uint8Array) => createHmac('sha256', Buffer.from(secret)).update(message).digest('hex')
    expect(v1).toBe(`sha256=${hex(body)}`)
    const timed = hex(Buffer.concat([Buffer.from(`${timestamp}.`), body]))
    expect(v2).toBe(`t=${timestamp},v1=${hex(body)},v2=${timed}`)
  })

  test.skipIf(!hasOpenssl)('is the result of openssl', async () => {
    const key = `hexkey:${Buffer.from(secret).toString('hex')}`
    const run = await execa('openssl', ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', key], {
      input: Buffer.concat([Buffer.from(`${timestamp}.`), body]),
    })
    expect(run.stdout.trim().split(' ').at(-1)).toBe(v2.slice(-64))
  })

  test('is valid for verifyWebhook', () => {
    const result = verifyWebhook(body, { 'x-psp-signature': v2 }, secret, { now: timestamp * 1000 })
    if (!result.valid) expect(result.reason).toBe('malformed_body')
  })
})
