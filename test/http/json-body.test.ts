import { expect, test } from 'vitest'
import { RefusalError } from '../../src/domain/errors.ts'
import { bodyText, checkContentType, checkEncoding, isJsonType, parseJson } from '../../src/http/json-body.ts'

test.each([
  'application/json',
  'Application/JSON',
  ' application/json ',
  'application/json;',
  'application/json; charset=utf-8',
  'application/json;charset=UTF8',
  'application/json ; charset = utf-8',
  'application/json; charset="utf-8"',
])('the Content-Type %j is JSON in UTF-8', (type) => {
  expect(isJsonType(type)).toBe(true)
  checkContentType(type)
})

test.each([
  '',
  'text/plain',
  'text/application/json',
  'application/json-patch+json',
  'application/jsonx',
  'application/json; charset=latin1',
  'application/json; charset=xutf-8',
  'application/json; charset=utf-8x',
  'application/json; charset="utf-8',
  'application/json; version=1',
])('the Content-Type %j is rejected with the one to send', (type) => {
  expect(isJsonType(type)).toBe(false)
  expect(() => checkContentType(type)).toThrow(
    new RefusalError(
      'bad_request',
      `Content-Type: expected application/json in UTF-8, got ${JSON.stringify(type)}. Send Content-Type: application/json.`,
    ),
  )
})

test('a body without a Content-Type is read as JSON', () => {
  checkContentType(undefined)
})

test('an encoded body is rejected with the code of the API, and a body with the encoding `identity` is accepted', () => {
  for (const none of ['', ' ', 'identity', 'Identity']) checkEncoding(none, 'bad_request')
  for (const code of ['bad_request', 'unsupported_media_type'] as const) {
    expect(() => checkEncoding('gzip, identity', code)).toThrow(
      new RefusalError(
        code,
        'Content-Encoding: expected none, got "gzip, identity". Send the body uncompressed, without this header.',
      ),
    )
  }
})

test.each([
  ['', 'body: expected a JSON object, got nothing.'],
  [' \n', 'body: expected a JSON object, got nothing.'],
  ['{"amount":\n}', /^body: expected JSON, but it cannot be parsed: [^\n]+$/],
  ['{\u0000"\u0000', /^body: expected JSON in UTF-8, got UTF-16/],
])('the text %j is rejected with the reason', (text, message) => {
  expect(() => parseJson(text)).toThrow(message)
})

test('bytes that are not UTF-8 are rejected', () => {
  expect(bodyText(Buffer.from('"ё"'))).toBe('"ё"')
  expect(() => bodyText(Buffer.from([0x22, 0xe9, 0x22]))).toThrow(/^body: expected JSON in UTF-8/)
})
