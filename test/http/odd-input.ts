// Values nobody should send, for the fuzz tests.
import fc from 'fast-check'

export const SEED = 20260506

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
/** Lone halves of letters have no UTF-8. */
export function encodeURIComponentSafe(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '?'))
}
