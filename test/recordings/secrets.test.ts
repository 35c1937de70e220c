// No secret and no personal data of any exchange reaches a recording or the report of a comparison.
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareRecording } from '../../src/recordings/compare/compare-recording.ts'
import { compareJunit } from '../../src/recordings/compare/junit.ts'
import { type RecordedCall, recordedCall } from '../../src/recordings/compare/recorded-call.ts'
import type { RecordedExchange } from '../../src/recordings/exchange.ts'
import { exchangeEntry } from '../../src/recordings/exchange-entry.ts'
import type { HarEntry } from '../../src/recordings/har.ts'
import { createMasking } from '../../src/recordings/masking.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'
import { startReplaySandbox } from './recorded-sandbox.ts'

const masking = createMasking({ key: Buffer.alloc(32, 7) })

const letters = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'abcdefghijkmnpqrstuvwxyz'), minLength: length, maxLength: length })
const digits = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'123456789'), minLength: length, maxLength: length })

/** A value with the part of it that must not remain. */
const secret = fc.oneof(
  letters(24).map((text) => ({ value: `sk_live_abc123_${text}`, part: text })),
  letters(24).map((text) => ({ value: `whs_${text}`, part: text })),
  letters(24).map((text) => ({ value: `thm_${text}`, part: text })),
  digits(9).map((text) => ({ value: `+79${text}`, part: text })),
  digits(14).map((text) => ({ value: withCheckDigit(`4${text}`), part: text })),
  letters(12).map((text) => ({ value: `${text}@shop.example`, part: text })),
)

function withCheckDigit(digits: string): string {
  const sum = [...digits].reduce((sum, digit, at) => {
    const doubled = Number(digit) * (at % 2 === 0 ? 2 : 1)
    return sum + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

const NAMED = [
  'Proxy-Authorization',
  'X-Authorization',
  'Cookie',
  'Set-Cookie',
  'X-Api-Token',
  'ApiKey',
  'X-Goog-Api-Key',
  'X-Secret-Shop',
  'X-Shop-Password',
  'X-Session-Id',
  'X-Auth',
  'X-Amz-Security-Token',
  'X-Amz-Credential',
  'X-Amz-Signature',
] as const

/** Values that a service generates: they look random, unlike the simplest text of a generator. */
const random = fc.nat().chain((seed) => {
  const hash = createHash('sha256').update(String(seed))
  const hex = hash.copy().digest('hex')
  return fc.constantFrom(
    hash.copy().digest('base64url'),
    hex.slice(0, 40),
    hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
  )
})

/** A header that says by its name, or shows by its value, that it contains a credential. */
const secretHeader = fc.oneof(
  fc.tuple(fc.constantFrom(...NAMED), letters(8)),
  letters(6).chain((name) => fc.tuple(fc.constant(`X-${name}`), random)),
)

const PLACES = [
  'query',
  'request header',
  'authorization',
  'request',
  'response',
  'response header',
  'key',
  'stream',
  'text',
  'error',
] as const
const leak = fc.record({ place: fc.constantFrom(...PLACES), secret })

function exchangeWith(place: (typeof PLACES)[number], value: string): RecordedExchange {
  const at = (wanted: typeof place) => (place === wanted ? value : 'nothing')
  const json = (field: string) => Buffer.from(JSON.stringify({ id: '1', hint: field, [at('key')]: { deep: [field] } }))
  const stream = `: connected\n\nevent: a\ndata: ${JSON.stringify({ note: value })}\n\n`
  const body =
    place === 'stream' ? Buffer.from(stream) : place === 'text' ? Buffer.from(`see ${value}.`) : json(at('response'))
  const type = place === 'stream' ? 'text/event-stream' : place === 'text' ? 'text/plain' : 'application/json'
  return {
    startedAt: Date.parse('2026-05-06T12:00:00Z'),
    ms: 1,
    method: 'POST',
    url: `https://api.example/v1/public/payments?q=${encodeURIComponent(at('query'))}`,
    request: {
      headers: [
        ['Authorization', `Bearer ${at('authorization')}`],
        ['X-Note', at('request header')],
      ],
      body: whole(json(at('request'))),
    },
    response: {
      status: 201,
      statusText: 'Created',
      headers: [
        ['Content-Type', type],
        ['X-Note', at('response header')],
      ],
      body: whole(body),
    },
    ...(place === 'error' ? { error: `It failed: ${value}.` } : {}),
  }
}

const whole = (bytes: Buffer) => ({ bytes, length: bytes.length })

test('a recording contains no secret, card number, phone or email, wherever it is in the exchange', async () => {
  await fc.assert(
    fc.asyncProperty(leak, async ({ place, secret: { value, part } }) => {
      expect(JSON.stringify(await exchangeEntry(exchangeWith(place, value), masking))).not.toContain(part)
    }),
    { numRuns: 500 },
  )
})

test('a recording contains no credential of a header, whether or not the header is known', async () => {
  await fc.assert(
    fc.asyncProperty(secretHeader, fc.boolean(), async ([name, value], isRequest) => {
      const exchange = exchangeWith('text', 'nothing')
      const { request, response } = exchange
      const header = [name, name.includes('ookie') ? `session=${value}; Path=/` : value] as const
      const sent = { ...request, headers: [...request.headers, header] }
      const got = response && { ...response, headers: [...response.headers, header] }
      const recorded = { ...exchange, ...(isRequest ? { request: sent } : got && { response: got }) }
      expect(JSON.stringify(await exchangeEntry(recorded, masking))).not.toContain(value)
    }),
    { numRuns: 500 },
  )
})

test('the report on a recording of another tool contains no secret either', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(leak, { minLength: 1, maxLength: 8 }), secretHeader, async (leaks, header) => {
      const calls = leaks.flatMap(({ place, secret: { value } }, at) => {
        const { request, response, url } = exchangeWith(place, value)
        const headers = (pairs: readonly (readonly [string, string])[]) =>
          pairs.map(([name, value]) => ({ name, value }))
        const entry = {
          startedDateTime: '2026-05-06T12:00:00.000Z',
          time: 1,
          request: {
            method: 'POST',
            url,
            headers: headers(request.headers),
            bodySize: -1,
            postData: { text: request.body.bytes.toString() },
          },
          // Without a known key the sandbox responds 401 too, so the bodies are compared.
          response: {
            status: 401,
            headers: headers(response?.headers ?? []),
            content: { size: -1, text: response?.body.bytes.toString() },
          },
        } as unknown as HarEntry
        return recordedCall(entry, at + 1) ?? []
      })
      const report = await compareRecording({
        calls: withHeader(calls, header),
        settings: {},
        start: startReplaySandbox,
        systemClock: createSystemClock(),
        mask: masking,
      })
      const text = JSON.stringify(report) + compareJunit('a.har', report)
      expect(report.differences.some(({ kind }) => kind === 'missing' || kind === 'type')).toBe(true)
      for (const { secret } of leaks) expect(text).not.toContain(secret.part)
      expect(text).not.toContain(header[1])
    }),
    { numRuns: 30 },
  )
}, 60_000)

/** Adds a response header to the first call. */
function withHeader(calls: readonly RecordedCall[], [name, value]: readonly [string, string]): RecordedCall[] {
  return calls.map((call, at) => {
    if (at > 0 || call.response === undefined) return call
    const headers = new Map([...call.response.headers, [name.toLowerCase(), value]])
    return { ...call, response: { ...call.response, headers } }
  })
}
