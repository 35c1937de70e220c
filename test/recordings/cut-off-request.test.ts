import { expect, test } from 'vitest'
import type { RecordedExchange } from '../../src/recordings/exchange.ts'
import { exchangeEntry } from '../../src/recordings/exchange-entry.ts'
import { createMasking } from '../../src/recordings/masking.ts'

test('a request whose client sent less than it announced is recorded without its body, with a comment', async () => {
  const bytes = Buffer.from('{"amount":1')
  const exchange = {
    startedAt: 0,
    ms: 1,
    method: 'POST',
    url: 'http://127.0.0.1/v1/public/payments',
    request: { headers: [['Content-Length', '40']], body: { bytes, length: bytes.length } },
  } as unknown as RecordedExchange
  const { request, comment } = await exchangeEntry(exchange, createMasking({ key: Buffer.alloc(32, 7) }))
  expect(request).not.toHaveProperty('postData')
  expect(comment).toBe('The request body (11 bytes) is not recorded: it is not complete.')
})
