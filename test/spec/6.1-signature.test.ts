// Spec 6.1: the headers of a webhook and its signatures.
import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { signatureHeader, webhookHeaders } from '../../src/domain/signatures.ts'

const body = '{"id":"evt_1","data":{"description":"Кофе за 150 ₽"}}'
const secret = 'whs_секрет'
const timestamp = 1764547200
const hmac = (...parts: (string | Uint8Array)[]) => {
  const hash = createHmac('sha256', secret)
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

describe('the value of X-PSP-Signature', () => {
  test('the signature v2= covers the timestamp, a dot and the raw body, and v1= only the body', () => {
    expect(signatureHeader({ body, secret, timestamp, version: 'v2', v1Form: 'body' })).toBe(
      `t=${timestamp},v1=${hmac(body)},v2=${hmac(`${timestamp}.${body}`)}`,
    )
  })

  test('the signature v1= can cover the timestamp or be omitted', () => {
    const v2 = hmac(`${timestamp}.${body}`)
    expect(signatureHeader({ body, secret, timestamp, version: 'v2', v1Form: 'timestamped' })).toBe(
      `t=${timestamp},v1=${v2},v2=${v2}`,
    )
    expect(signatureHeader({ body, secret, timestamp, version: 'v2', v1Form: 'omit' })).toBe(`t=${timestamp},v2=${v2}`)
  })

  test('the signature of version v1 is sha256= over the raw body with each option', () => {
    for (const v1Form of ['body', 'timestamped', 'omit'] as const) {
      expect(signatureHeader({ body, secret, timestamp, version: 'v1', v1Form })).toBe(`sha256=${hmac(body)}`)
    }
  })

  test('the signature is the same for bytes and text, and covers bytes that are not UTF-8 unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const bytes = Buffer.from(text)
        const sign = (what: string | Uint8Array) =>
          signatureHeader({ body: what, secret, timestamp, version: 'v2', v1Form: 'body' })
        return sign(text) === sign(bytes)
      }),
    )
    const bytes = Uint8Array.of(0xff, 0xfe, 0x00)
    expect(signatureHeader({ body: bytes, secret, timestamp, version: 'v1', v1Form: 'body' })).toBe(
      `sha256=${hmac(bytes)}`,
    )
  })

  test('the signature is correct for more secrets than the cache of prepared keys contains', () => {
    const sign = (key: string) => signatureHeader({ body, secret: key, timestamp, version: 'v1', v1Form: 'body' })
    const first = sign('whs_0')
    for (let i = 1; i <= 600; i++) expect(sign(`whs_${i}`)).toBe(sign(`whs_${i}`))
    expect(sign('whs_0')).toBe(first)
    expect(first).toBe(`sha256=${createHmac('sha256', 'whs_0').update(body).digest('hex')}`)
  })
})

describe('the headers of a webhook', () => {
  test('a webhook has five headers in a fixed order', () => {
    expect(webhookHeaders('evt_1', timestamp, 'sha256=00')).toEqual([
      ['Content-Type', 'application/json'],
      ['User-Agent', 'psp-webhook/1.0'],
      ['X-PSP-Event-Id', 'evt_1'],
      ['X-PSP-Timestamp', '1764547200'],
      ['X-PSP-Signature', 'sha256=00'],
    ])
  })

  test('an unsigned webhook has no signature header', () => {
    expect(webhookHeaders('evt_1', timestamp, undefined).map(([name]) => name)).not.toContain('X-PSP-Signature')
  })
})
