// The test shop verifies webhooks in the browser.
import { expect, it } from 'vitest'
import { verifySignature } from '../../src/dashboard/state/verify-signature.ts'
import { signatureHeader } from '../../src/domain/signatures.ts'

const NOW = 1_778_068_800_000
const SECRET = 'whs_test'
const BODY = new TextEncoder().encode('{"id":"evt_1","имя":"Ёж"}')
const sign = (more: object = {}) => signatureHeader({ body: BODY, secret: SECRET, timestamp: NOW / 1000, ...more })

it.each([
  ['a valid signature', sign(), BODY, NOW, true],
  ['a signature without v1', sign({ v1Form: 'omit' }), BODY, NOW, true],
  ['a signature of the last five minutes', sign(), BODY, NOW + 300_000, true],
  ['another secret', sign({ secret: 'whs_other' }), BODY, NOW, false],
  ['a changed body', sign(), new TextEncoder().encode('{}'), NOW, false],
  ['an old signature', sign(), BODY, NOW + 300_001, false],
  ['a signature of the future', sign(), BODY, NOW - 300_001, false],
  ['a v1 signature alone', sign({ version: 'v1' }), BODY, NOW, false],
  ['no signature', '', BODY, NOW, false],
  ['a signature after other text', `x${sign()}`, BODY, NOW, false],
  ['a signature before other text', `${sign()}0`, BODY, NOW, false],
])('%s is verified correctly', async (_what, header, body, now, isValid) => {
  expect(await verifySignature(header, body, SECRET, now)).toBe(isValid)
})
