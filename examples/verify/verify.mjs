import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * @param {Buffer} rawBody the received bytes, before any JSON parser
 * @param {string | undefined} header value of X-PSP-Signature
 * @param {string} secret the whole `whs_…` string
 * @param {number} now Unix time in seconds
 * @param {number} tolerance in seconds
 */
export function verify(rawBody, header, secret, now = Date.now() / 1000, tolerance = 300) {
  const parts = Object.fromEntries((header ?? '').split(',').map((part) => part.trim().split('=')))
  const t = parts.t ?? ''
  if (!/^\d{1,12}$/.test(t) || Math.abs(now - Number(t)) > tolerance) return false
  const expected = createHmac('sha256', secret).update(`${t}.`).update(rawBody).digest('hex')
  const given = Buffer.from(parts.v2 ?? '')
  return given.length === expected.length && timingSafeEqual(given, Buffer.from(expected))
}

const { createInterface } = await import('node:readline')

// Each line is one case: secret, now, header and body (both base64), separated by tabs.
for await (const line of createInterface({ input: process.stdin })) {
  const [secret, now, header, body] = line.split('\t')
  const valid = verify(Buffer.from(body, 'base64'), Buffer.from(header, 'base64').toString(), secret, Number(now))
  console.log(valid ? 'valid' : 'invalid')
}
