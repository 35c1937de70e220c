import { expect, test } from 'vitest'
import { headerValue } from '../../src/domain/delivery.ts'
import { signatureHeader, signRequest } from '../../src/domain/signatures.ts'
import { createSignatureChecker } from '../../src/recordings/check-signature.ts'
import { exchangeEntry } from '../../src/recordings/exchange-entry.ts'
import { createMasking } from '../../src/recordings/masking.ts'

const SECRET = 'whs_production0secret0of0the0endpoint00'
const BODY = '{"id":"evt_1","event":"payment.succeeded","data":{"id":"pay_1","customer_card_holder":"ANNA IVANOVA"}}'
const masking = createMasking({ key: Buffer.alloc(32, 7) })
const checkerOf = (...given: string[]) => createSignatureChecker({ given, known: [] })
const v2 = signatureHeader({ body: BODY, secret: SECRET, timestamp: 1_777_000_000 })

test.each([
  ['of version 2', v2],
  ['of version 1', signRequest(BODY, SECRET)],
  ['with an unknown part', `${v2},note=khvorostukhina`],
])('a signature %s that was valid is known to be so after the body was masked', async (_, header) => {
  const body = { bytes: Buffer.from(BODY), length: BODY.length }
  const headers = [['X-PSP-Signature', header] as const]
  const exchange = {
    startedAt: 0,
    ms: 1,
    method: 'POST',
    url: 'https://shop.example/hooks',
    request: { headers, body },
  }
  const { request, _signature } = await exchangeEntry(exchange, masking, checkerOf(SECRET))
  const recorded = headerValue(
    request.headers.map(({ name, value }) => [name, value] as const),
    'x-psp-signature',
  )
  const check = (secret: string) => checkerOf(secret)(request.postData?.text ?? '', recorded, _signature).signature
  expect(_signature).toMatchObject({ result: 'valid', is_masked: true })
  expect([check(SECRET), check('whs_other0secret')]).toEqual(['valid_when_recorded', 'invalid'])
  expect(recorded).not.toContain('khvorostukhina')
})
