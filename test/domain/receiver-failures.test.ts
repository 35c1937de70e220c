import { expect, test } from 'vitest'
import { ResponseHeadError } from '../../src/domain/http-response.ts'
import {
  causeAndAdvice,
  codeOf,
  describeFailure,
  describeTimeout,
  isAcceptedDespiteError,
  isReset,
  type Phase,
} from '../../src/domain/receiver-failures.ts'

const HOST = 'pay.example.com:3000'
const URL = `http://${HOST}/hooks`
const coded = (code: string, more: object = {}) => Object.assign(new Error('x. Y'), { code, ...more })
const said = (message: string, code?: string) => Object.assign(new Error(message), code === undefined ? {} : { code })
const at = (address: string, port?: number) => coded('ECONNREFUSED', { address, port })
const overflow = (bytes: number, isLowerBound?: boolean) =>
  new ResponseHeadError('PSP_HEAD_OVERFLOW', bytes, isLowerBound)

const refused = (addresses: string) => `Connection refused: nothing listens on ${addresses}. Is your server running?`
const CLOSED = `${HOST} closed the connection before it responded. See its log. If it supports only HTTP/2, accept HTTP/1.1.`
const CLOSED_IN_RESPONSE = `${HOST} closed the connection in the middle of its response. See its log.`
const SWITCHED = `${HOST} responded 101 (switching protocols), which is not a valid response to a webhook. Respond 2xx.`
const NO_CONNECTION = `No connection to ${HOST}: it did not respond. Check the address, the port and the firewall.`
const HTTP_2 = `${HOST} supports only HTTP/2, and psp sends HTTP/1.1. Accept HTTP/1.1 on this port.`
const NOT_HTTP = `The response from ${HOST} is not HTTP. If the receiver uses TLS, use https:// in the URL.`
const head = (size: string) =>
  `${HOST} sent ${size} of response headers, and psp reads at most 64 KiB. Send fewer or shorter headers.`
const invalid = (part: string) => `${HOST} responded with ${part}, which HTTP does not allow.`
const certificate = (code: string) =>
  `The TLS certificate of ${HOST} was not accepted (${code}). For a private certificate authority, set NODE_EXTRA_CA_CERTS before you start psp.`
const tls = (code: string) =>
  `TLS with ${HOST} failed (${code}). If the receiver uses plain HTTP, use http:// in the URL.`

test.each<[error: unknown, message: string, phase?: Phase]>([
  [at('::1', 3000), refused('[::1]:3000')],
  [at('127.0.0.1'), refused(HOST)],
  [coded('ECONNREFUSED'), refused(HOST)],
  [
    new AggregateError([at('::1', 3000), at('127.0.0.1', 3000), at('::1', 3000)]),
    refused('[::1]:3000 and 127.0.0.1:3000'),
  ],
  [new Error('fetch failed', { cause: at('::1', 3000) }), refused('[::1]:3000')],
  [new AggregateError([null, at('::1', 3000)]), refused('[::1]:3000')],
  [said('bad upgrade', 'UND_ERR_SOCKET'), SWITCHED],
  [said('false: assert(upgrade) failed'), SWITCHED],
  [coded('HPE_HEADER_OVERFLOW'), head('more than 64 KiB')],
  [coded('UND_ERR_HEADERS_OVERFLOW'), head('more than 64 KiB')],
  [overflow(64 * 1024 + 1), head('65 KiB')],
  [overflow(66 * 1024, true), head('more than 66 KiB')],
  [
    new ResponseHeadError('PSP_INFORMATIONAL_OVERFLOW'),
    `${HOST} sent more than 1000 informational responses (1xx) and no final one. Send a 2xx response at once.`,
  ],
  [coded('ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL'), HTTP_2],
  [coded('HPE_INVALID_CONSTANT', { rawPacket: Buffer.from('\0\0\x12\x04\0\0\0\0\0') }), HTTP_2],
  [coded('UND_ERR_SOCKET', { data: '\0\0\x12\x07\x01\0\0\0\0' }), HTTP_2],
  [coded('HPE_INVALID_CONSTANT', { data: '\0\0\x12\x05\0\0\0\0\0' }), NOT_HTTP],
  [coded('HPE_INVALID_CONSTANT', { data: 'x\0\0\x12\x04\0\0\0\0\0' }), NOT_HTTP],
  [coded('UND_ERR_RES_CONTENT_LENGTH_MISMATCH'), CLOSED_IN_RESPONSE, 'reading'],
  [coded('UND_ERR_RES_CONTENT_LENGTH_MISMATCH'), invalid('several Content-Length headers')],
  [
    coded('HPE_UNEXPECTED_CONTENT_LENGTH'),
    invalid('several Content-Length headers, or one together with Transfer-Encoding'),
  ],
  [coded('HPE_INVALID_CONTENT_LENGTH'), invalid('a Content-Length that is not a number')],
  [coded('HPE_INVALID_STATUS'), invalid('a status that is not a number')],
  [coded('HPE_INVALID_HEADER_TOKEN'), invalid('an invalid header')],
  [said('false: assert(statusCode >= 100)'), invalid('a status below 100')],
  [coded('ENOTFOUND'), `DNS does not know ${HOST}. Check the host in the URL.`],
  [coded('EAI_AGAIN'), `${HOST} could not be resolved: DNS did not respond.`],
  [coded('ETIMEDOUT'), NO_CONNECTION],
  [coded('UND_ERR_CONNECT_TIMEOUT'), NO_CONNECTION],
  [coded('EHOSTUNREACH'), `There is no route to ${HOST}.`],
  [coded('ENETUNREACH'), `There is no network route to ${HOST}.`],
  [coded('ERR_TLS_CERT_ALTNAME_INVALID'), `The TLS certificate of the receiver is not valid for the name ${HOST}.`],
  [coded('CERT_HAS_EXPIRED'), `The TLS certificate of ${HOST} has expired.`],
  [coded('ERR_INVALID_URL'), 'The URL of the receiver is not valid.'],
  ...['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'ECONNABORTED'].flatMap(
    (code) =>
      [
        [coded(code), CLOSED],
        [coded(code), CLOSED_IN_RESPONSE, 'reading'],
      ] as [unknown, string, Phase][],
  ),
  ...['DEPTH_ZERO_SELF_SIGNED_CERT', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UNABLE_TO_GET_ISSUER'].map(
    (code) => [coded(code), certificate(code)] as [unknown, string],
  ),
  ...['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_TLS_X'].map(
    (code) => [coded(code), tls(code)] as [unknown, string],
  ),
  [coded('HPE_INVALID_CONSTANT'), NOT_HTTP],
  [Object.assign(new Error('x'), { name: 'HTTPParserError' }), NOT_HTTP],
  [said('one\n  two'), `The request to ${HOST} failed: one two`],
  ['x'.repeat(301), `The request to ${HOST} failed: ${'x'.repeat(300)}`],
])('describeFailure of %o is %j', (error, message, phase = 'waiting') => {
  expect(describeFailure(error, URL, phase)).toBe(message)
})

test('describeFailure accepts any URL, and advises https only for http', () => {
  expect(describeFailure(coded('HPE_X'), 'https://a/', 'waiting')).toBe('The response from a is not HTTP.')
  expect(describeFailure(coded('EHOSTUNREACH'), 'no url', 'waiting')).toBe('There is no route to no url.')
})

test.each([
  ['connecting', `No connection to ${HOST} within 1s500ms. Check the address, the port and the firewall.`],
  ['waiting', `No response from ${HOST} within 1s500ms. Respond first, then do the slow work.`],
  ['reading', `The response from ${HOST} did not end within 1s500ms.`],
] as const)('describeTimeout while %s is %j', (phase, message) => {
  expect(describeTimeout(URL, 1500, phase)).toBe(message)
})

test.each([
  [refused(HOST), `Connection refused: nothing listens on ${HOST}.`, 'Is your server running?'],
  [
    CLOSED,
    `${HOST} closed the connection before it responded.`,
    'See its log. If it supports only HTTP/2, accept HTTP/1.1.',
  ],
  ['There is no route to a.b.', 'There is no route to a.b.', ''],
  ['Why? Because.', 'Why?', 'Because.'],
  ['one. two. Three', 'one. two.', 'Three'],
  ['no sentence', 'no sentence', ''],
  ['', '', ''],
])('causeAndAdvice splits the message %j', (message, cause, advice) => {
  expect(causeAndAdvice(message)).toEqual({ cause, advice })
})

test.each([
  [200, [], 0, Object.assign(new Error('x'), { name: 'HTTPParserError' }), true],
  [300, [], 0, Object.assign(new Error('x'), { name: 'HTTPParserError' }), false],
  [undefined, [], 0, Object.assign(new Error('x'), { name: 'HTTPParserError' }), false],
  [200, [], 0, 'not an error', false],
  [200, [['Content-Length', '5']], 5, coded('ECONNRESET'), false],
  [
    200,
    [
      ['X-Other', '9'],
      ['Content-LENGTH', '5'],
    ],
    5,
    coded('UND_ERR_RES_CONTENT_LENGTH_MISMATCH'),
    true,
  ],
  [200, [['Content-Length', '5']], 6, coded('UND_ERR_RES_CONTENT_LENGTH_MISMATCH'), true],
  [200, [['Content-Length', '5']], 4, coded('UND_ERR_RES_CONTENT_LENGTH_MISMATCH'), false],
  [200, [], 4, coded('UND_ERR_RES_CONTENT_LENGTH_MISMATCH'), false],
  [204, [['Content-Length', '5']], 4, coded('UND_ERR_RES_CONTENT_LENGTH_MISMATCH'), true],
] as const)(
  'the status %j with headers %j, %d bytes and the error %o: accepted is %s',
  (status, headers, bytes, error, accepted) => {
    expect(isAcceptedDespiteError(status, headers, bytes, error)).toBe(accepted)
  },
)

test('the code of an error may come from its cause or from its last attempt', () => {
  const nested = (depth: number): Error =>
    depth === 0 ? coded('EPIPE') : new Error('outer', { cause: nested(depth - 1) })
  expect([nested(0), nested(4), nested(5)].map(codeOf)).toEqual(['EPIPE', 'EPIPE', undefined])
  expect(codeOf(new AggregateError([coded('A'), coded('B')]))).toBe('B')
  expect(codeOf(new AggregateError([]))).toBeUndefined()
  expect(codeOf(coded(7 as never))).toBeUndefined()
  expect([coded('EPIPE'), coded('EODD'), 'text'].map(isReset)).toEqual([true, false, false])
})
