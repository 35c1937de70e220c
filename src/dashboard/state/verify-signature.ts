// Verifies the signature of a webhook with WebCrypto, as a correct shop does.

/** The maximum difference between the signature's time and the current time, in ms. */
const TOLERANCE = 300_000

/**
 * Returns whether `v2=` is the HMAC of `<t>.<body>`, and `t=` is near the current time.
 * @param header the value of X-PSP-Signature
 */
export async function verifySignature(
  header: string,
  body: Uint8Array<ArrayBuffer>,
  secret: string,
  now: number,
): Promise<boolean> {
  const [, t = '', v2 = ''] = /^t=(\d+),(?:v1=[^,]*,)?v2=([0-9a-f]{64})$/.exec(header) ?? []
  if (v2 === '' || Math.abs(now - Number(t) * 1000) > TOLERANCE) return false
  const text = new TextEncoder()
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', text.encode(secret), algorithm, false, ['verify'])
  const hash = Uint8Array.from(v2.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  const signed = new Uint8Array([...text.encode(`${t}.`), ...body])
  return await crypto.subtle.verify('HMAC', key, hash, signed)
}
