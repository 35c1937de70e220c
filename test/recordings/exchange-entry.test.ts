// The HAR entry of each kind of exchange.
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { signatureHeader } from '../../src/domain/signatures.ts'
import { createSignatureChecker } from '../../src/recordings/check-signature.ts'
import type { ExchangeMessage, RecordedExchange } from '../../src/recordings/exchange.ts'
import { exchangeEntry } from '../../src/recordings/exchange-entry.ts'
import { createMasking } from '../../src/recordings/masking.ts'

const masking = createMasking({ key: Buffer.alloc(32, 7) })

/** @param length the bytes of the whole body, if only its first bytes are recorded */
function message(
  type: string,
  body: string | Buffer,
  more: object = {},
  length = Buffer.byteLength(body),
): ExchangeMessage {
  const headers = Object.entries({ ...(type !== '' && { 'Content-Type': type }), ...more })
  return { headers, body: { bytes: Buffer.from(body), length } }
}

const JSON_TYPE = 'application/json'
const EMPTY = message('', '')

function exchange(request: ExchangeMessage, response?: ExchangeMessage, more: Partial<RecordedExchange> = {}) {
  return {
    startedAt: Date.UTC(2026, 4, 6, 12),
    ms: 30,
    wait: 20,
    method: 'POST',
    url: 'https://psp.example/v1/public/payments?limit=2',
    request,
    ...(response && { response: { ...response, status: 201, statusText: 'Created' } }),
    ...more,
  } satisfies RecordedExchange
}

/** Returns how the body of a response is recorded, and the comment. */
async function recorded(response: ExchangeMessage, more: Partial<RecordedExchange> = {}) {
  const entry = await exchangeEntry(exchange(EMPTY, response, more), masking)
  return { content: entry.response.content, comment: entry.comment }
}

const ENTRY = {
  startedDateTime: '2026-05-06T12:00:00.000Z',
  time: 30,
  request: {
    method: 'POST',
    url: 'https://psp.example/v1/public/payments?limit=2',
    httpVersion: 'HTTP/1.1',
    headers: [{ name: 'Content-Type', value: 'application/json' }],
    queryString: [{ name: 'limit', value: '2' }],
    cookies: [],
    headersSize: -1,
    bodySize: 14,
    postData: { mimeType: 'application/json', text: '{"amount":100}' },
  },
  response: {
    status: 201,
    statusText: 'Created',
    httpVersion: 'HTTP/1.1',
    headers: [{ name: 'Content-Type', value: 'application/json' }],
    cookies: [],
    content: { size: 20, mimeType: 'application/json', text: '{"status":"pending"}' },
    redirectURL: '',
    headersSize: -1,
    bodySize: 20,
  },
  cache: {},
  timings: { send: 0, wait: 20, receive: 10 },
}
const SENT = message(JSON_TYPE, '{"amount":100}')
const NO_RESPONSE = {
  status: 0,
  statusText: '',
  httpVersion: '',
  headers: [],
  cookies: [],
  content: { size: 0, mimeType: 'x-unknown' },
  redirectURL: '',
  headersSize: -1,
  bodySize: -1,
}

describe('an exchange', () => {
  test('is recorded with both messages and its times', async () => {
    const received = message(JSON_TYPE, '{"status":"pending"}')
    expect(await exchangeEntry(exchange(SENT, received), masking)).toEqual(ENTRY)
  })

  test('is recorded with the reason if there is no response', async () => {
    const { wait: _, ...failed } = exchange(SENT, undefined, { error: 'No connection.', isClosedByClient: true })
    expect(await exchangeEntry(failed, masking)).toEqual({
      ...ENTRY,
      response: NO_RESPONSE,
      timings: { send: 0, wait: 30, receive: 0 },
      _closed_by: 'client',
      comment: 'No connection.',
    })
  })

  test('is recorded without the body if the client did not send it', async () => {
    const { request, comment } = await exchangeEntry(exchange(SENT, EMPTY, { isBodyUnsent: true }), masking)
    expect({ size: request.bodySize, sent: request.postData }).toEqual({ size: -1 })
    expect(comment).toBe('The request body is not recorded: the client did not send it.')
  })

  test('is recorded without a request body if it is empty', async () => {
    const { request, comment } = await exchangeEntry(exchange(message(JSON_TYPE, '')), masking)
    expect({ size: request.bodySize, sent: request.postData, comment }).toEqual({ size: 0 })
  })

  test('is recorded with *** instead of a request body that is not JSON', async () => {
    const { request, comment } = await exchangeEntry(exchange(message('text/plain', 'Anna')), masking)
    expect([request.bodySize, request.postData]).toEqual([4, { mimeType: 'text/plain', text: '***' }])
    expect(comment).toBe('The request body (4 bytes) is replaced by ***: it is not JSON.')
  })

  test('is recorded without a reason phrase that is not that of its status', async () => {
    const response = { ...EMPTY, status: 201, statusText: 'Made for Anna' }
    expect((await exchangeEntry(exchange(EMPTY, undefined, { response }), masking)).response.statusText).toBe('')
  })
})

describe('an exchange that cannot be masked', () => {
  const broken = {
    ...masking,
    header() {
      throw new Error('broken')
    },
  }
  const headers = [{ name: 'Content-Type', value: '***' }]
  const { postData: _, ...request } = ENTRY.request
  const hidden = {
    ...ENTRY,
    request: { ...request, url: 'https://psp.example', headers, queryString: [] },
    comment:
      'The exchange could not be masked, so its path, its bodies and the values of its headers are not recorded.',
  }

  test('is recorded with the names of its headers and the sizes of its bodies only', async () => {
    const received = message(JSON_TYPE, '{"status":"pending"}')
    expect(await exchangeEntry(exchange(SENT, received), broken)).toEqual({
      ...hidden,
      response: { ...ENTRY.response, headers, content: { size: 20, mimeType: 'x-unknown' } },
    })
  })

  test('is recorded without a response if there was none', async () => {
    expect(await exchangeEntry(exchange(SENT), broken)).toEqual({
      ...hidden,
      response: NO_RESPONSE,
    })
  })

  test('is recorded without a URL if its URL is invalid', async () => {
    const { request } = await exchangeEntry(exchange(SENT, EMPTY, { url: 'http://[' }), broken)
    expect([request.url, request.queryString]).toEqual(['', []])
  })
})

describe('the body of a response', () => {
  const CUT = { error: 'The connection was closed.' }
  const STREAM = 'text/event-stream'

  test.each<[string, ExchangeMessage, object]>([
    ['JSON', message(JSON_TYPE, '{"a":1}'), { size: 7, mimeType: JSON_TYPE, text: '{"a":1}' }],
    [
      'JSON of an unknown media type',
      message('strange/thing', '{"a":1}'),
      { size: 7, mimeType: 'x-unknown', text: '{"a":1}' },
    ],
    ['JSON without a media type', message('', '{"a":1}'), { size: 7, mimeType: 'x-unknown', text: '{"a":1}' }],
    [
      'encoded JSON',
      message(JSON_TYPE, gzipSync('{"a":1}'), { 'Content-Encoding': 'gzip' }),
      { size: 7, mimeType: JSON_TYPE, text: '{"a":1}' },
    ],
    [
      'a whole event stream',
      message(STREAM, 'data: {"a":1}\n\n'),
      { size: 15, mimeType: STREAM, text: 'data: {"a":1}\n\n' },
    ],
    [
      'an empty body with an encoding',
      message(JSON_TYPE, '', { 'Content-Encoding': 'gzip' }),
      { size: 0, mimeType: JSON_TYPE, text: '' },
    ],
    ['an empty body', message(JSON_TYPE, ''), { size: 0, mimeType: JSON_TYPE, text: '' }],
  ])('is recorded if it is %s', async (_, response, content) => {
    expect(await recorded(response)).toEqual({ content, comment: undefined })
  })

  test.each<[string, ExchangeMessage, string]>([
    ['is no JSON', message('text/html', '<b>Anna</b>'), 'body (11 bytes) is not recorded: it is not JSON.'],
    [
      'is longer than the limit',
      message(JSON_TYPE, '{"a":', {}, 900),
      'body (900 bytes) is not recorded: it is longer than --body-limit.',
    ],
    [
      'has an unknown encoding',
      message(JSON_TYPE, 'x', { 'Content-Encoding': 'rot13' }),
      'body (1 byte) is not recorded: psp cannot decode rot13.',
    ],
  ])('is not recorded if it %s', async (_, response, comment) => {
    const { content, comment: found } = await recorded(response)
    expect(content).toEqual({ size: response.body.length, mimeType: response.headers[0]?.[1] })
    expect(found).toBe(`The response ${comment}`)
  })

  test('is not recorded if its end is missing', async () => {
    expect(await recorded(message(JSON_TYPE, '{"a":1}'), CUT)).toEqual({
      content: { size: 7, mimeType: JSON_TYPE },
      comment: 'The connection was closed. The response body (7 bytes) is not recorded: it is not complete.',
    })
  })

  test('is recorded as empty if the connection was closed before it', async () => {
    expect(await recorded(message(JSON_TYPE, ''), CUT)).toEqual({
      content: { size: 0, mimeType: JSON_TYPE, text: '' },
      comment: 'The connection was closed.',
    })
  })

  test('is recorded up to its last whole line if it is a long event stream, with a comment', async () => {
    const type = `${STREAM}; charset=utf-8`
    const content = { size: 15, mimeType: type, text: 'data: {"a":1}\n\n' }
    const stream = 'data: {"a":1}\n\ndata: {"na'
    expect(await recorded(message(type, stream, {}, 900))).toEqual({
      content,
      comment: 'The end of the response body (900 bytes) is not recorded.',
    })
    const encoded = gzipSync(stream)
    expect(await recorded(message(type, encoded, { 'Content-Encoding': 'gzip' }, 900))).toEqual({
      content,
      comment: 'The end of the response body (900 bytes) is not recorded.',
    })
    expect(await recorded(message(type, stream), CUT)).toEqual({ content, comment: 'The connection was closed.' })
  })
})

describe('the signature of a request', () => {
  const EVENT = '{"id":"evt_1","event":"payment.succeeded","data":{"id":"pay_1"}}'
  const SECRET = 'whs_production0secret0of0the0endpoint00'
  const check = createSignatureChecker({ given: [SECRET], known: [] })
  const signature = signatureHeader({ body: EVENT, secret: SECRET, timestamp: 1_777_000_000 })
  const webhook = (more: object = {}) =>
    exchange(message(JSON_TYPE, EVENT, { 'X-PSP-Signature': signature, ...more }), EMPTY)

  test('is recorded as checked if it is that of a webhook', async () => {
    const { _signature } = await exchangeEntry(webhook({ 'Content-Length': '64' }), masking, check)
    expect(_signature).toMatchObject({ result: 'valid', is_masked: false })
  })

  test.each<[string, RecordedExchange, typeof check | undefined]>([
    ['nothing checks it', webhook(), undefined],
    ['the request has none', exchange(message(JSON_TYPE, EVENT), EMPTY), check],
  ])('is not recorded if %s, and the body is', async (_, webhook, check) => {
    const entry = await exchangeEntry(webhook, masking, check)
    expect(entry).not.toHaveProperty('_signature')
    expect([entry.request.postData?.text, entry.comment]).toEqual([EVENT, undefined])
  })

  test('is not recorded if the body is not recorded', async () => {
    const entry = await exchangeEntry(webhook({ 'Content-Length': '900' }), masking, check)
    expect(entry).not.toHaveProperty('_signature')
    expect(entry.comment).toBe('The request body (64 bytes) is not recorded: it is not complete.')
  })
})
