// Random input for the fuzz tests, and the check of the responses.
import fc from 'fast-check'
import { expect } from 'vitest'
import { API_ERRORS } from '../../src/domain/errors.ts'
import { raw } from './fixtures.ts'

export const SEED = 20260506

/** The requests of a test. In CI, Schemathesis sends 5,000 more to the same routes. */
export const RUNS = 700

export const oddText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('', '\u0000', '\ud800', '__proto__', 'constructor', '../../etc/passwd', '%00', "' OR 1=1", '₽'),
)
export const oddValue = fc.oneof(
  { weight: 2, arbitrary: oddText },
  { weight: 2, arbitrary: fc.oneof(fc.integer(), fc.double(), fc.constantFrom(1e308, -0, 2 ** 53)) },
  fc.constantFrom(null, true, false, [], {}, [[]]),
  fc.jsonValue({ maxDepth: 4 }),
)
const headerText = fc.string({
  unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code === 0x7f ? 0x20 : code)),
})
export const headers = fc.dictionary(
  fc.constantFrom(
    ...['Idempotency-Key', 'X-PSP-Simulate', 'X-PSP-Signature', 'X-Service-Signature', 'Content-Type', 'Authorization'],
    ...['X-Forwarded-For', 'Accept', 'Origin', 'Transfer-Encoding-X'],
  ),
  fc.oneof(headerText, fc.constantFrom('application/json', 'succeeded', 'refused:do_not_honor', 'k', 'sha256=00')),
  { maxKeys: 3 },
)
/** Replaces lone surrogates, which have no UTF-8. */
export function encodeURIComponentSafe(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '?'))
}

export interface RawResponse {
  readonly status: number
  readonly text: string
}

const CODES: ReadonlySet<string> = new Set(Object.keys(API_ERRORS))

/** Expects no 5xx except a planned one, and the error object in each error. */
export function expectPlannedResponse({ status, text }: RawResponse, method: string): void {
  // Plans and magic values may request these.
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

/** Sends a request over a socket, because HTTP clients refuse to send some of these. */
export async function send(
  port: number,
  method: string,
  path: string,
  body: string,
  headers: Record<string, string>,
): Promise<RawResponse> {
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
