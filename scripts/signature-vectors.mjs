// Writes fixtures/signature-vectors.json. SHA-256 and HMAC are implemented here (FIPS 180-4, RFC 2104), so that the
// vectors do not come from the library that they test. Run: node scripts/signature-vectors.mjs
import { writeFileSync } from 'node:fs'

const CASES = [
  {
    name: 'webhook',
    body: '{"id":"evt_1","event":"payment.succeeded","created_at":"2026-05-06T12:00:00.000Z","data":{}}',
  },
  {
    name: 'Cyrillic, the rouble sign and an emoji',
    body: '{"description":"Кофе за 150 ₽ ☕️","metadata":{"имя":"Ёж"}}',
  },
  { name: 'CRLF line ends', body: '{\r\n  "id": "evt_2"\r\n}\r\n' },
  { name: 'empty body', body: '' },
  { name: 'byte order mark', body: '\ufeff{"id":"evt_3"}' },
  { name: 'escaped slash', body: '{"return_url":"https:\\/\\/shop.example\\/done"}' },
  { name: 'bytes that are not UTF-8', bytes: [0xff, 0xfe, 0x00, 0x80] },
  { name: 'exactly one block of SHA-256', body: 'x'.repeat(64) },
  { name: '55 and 56 bytes differ in padding', body: 'y'.repeat(55) },
  { name: 'padding that needs a block more', body: 'y'.repeat(56) },
  { name: 'secret longer than a block', body: '{"id":"evt_4"}', secret: `whs_${'k'.repeat(100)}` },
  { name: 'secret outside ASCII', body: '{"id":"evt_5"}', secret: 'whs_ключ_🔑' },
  { name: 'early timestamp', body: '{"id":"evt_6"}', timestamp: 1 },
  { name: 'large body', body: `{"id":"evt_7","text":"${'Щ'.repeat(4000)}"}` },
]

const vectors = CASES.map(({ name, body, bytes, secret = 'whs_vector_secret', timestamp = 1778068800 }) => {
  const raw = Buffer.from(bytes ?? body)
  const v1 = hmac(secret, raw)
  const v2 = hmac(secret, Buffer.concat([Buffer.from(`${timestamp}.`), raw]))
  return {
    name,
    secret,
    timestamp,
    body_b64: raw.toString('base64'),
    v1: `sha256=${v1}`,
    v2: `t=${timestamp},v1=${v1},v2=${v2}`,
  }
})
writeFileSync(new URL('../fixtures/signature-vectors.json', import.meta.url), `${JSON.stringify(vectors, null, 2)}\n`)

function hmac(secret, message) {
  let key = Buffer.from(secret)
  if (key.length > 64) key = sha256(key)
  const block = Buffer.concat([key], 64)
  const inner = sha256(Buffer.concat([block.map((byte) => byte ^ 0x36), message]))
  return sha256(Buffer.concat([block.map((byte) => byte ^ 0x5c), inner])).toString('hex')
}

function sha256(message) {
  const { constants, state } = createTables()
  const blocks = Math.ceil((message.length + 9) / 64)
  const padded = Buffer.concat([message, Buffer.of(0x80)], blocks * 64)
  padded.writeBigUInt64BE(BigInt(message.length) * 8n, padded.length - 8)
  for (let at = 0; at < padded.length; at += 64) compress(state, constants, padded.subarray(at, at + 64))
  return Buffer.concat(Array.from(state, (word) => Buffer.of(word >>> 24, word >>> 16, word >>> 8, word)))
}

function compress(state, constants, block) {
  const w = new Uint32Array(64)
  for (let i = 0; i < 16; i++) w[i] = block.readUInt32BE(i * 4)
  for (let i = 16; i < 64; i++) {
    const s0 = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ (w[i - 15] >>> 3)
    const s1 = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ (w[i - 2] >>> 10)
    w[i] = w[i - 16] + s0 + w[i - 7] + s1
  }
  let [a, b, c, d, e, f, g, h] = state
  for (let i = 0; i < 64; i++) {
    const t1 = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + constants[i] + w[i]
    const t2 = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))
    ;[a, b, c, d, e, f, g, h] = [(t1 + t2) >>> 0, a, b, c, (d + t1) >>> 0, e, f, g]
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] += word
}

function turn(word, bits) {
  return (word >>> bits) | (word << (32 - bits))
}

/** Returns the fractional bits of the cube and square roots of the first primes. */
function createTables() {
  const primes = []
  for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n)
  return {
    constants: Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime))),
    state: Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime))),
  }
}

function fraction(root) {
  return Math.floor((root % 1) * 2 ** 32)
}
