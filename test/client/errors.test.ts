import { describe, expect, test } from 'vitest'
import {
  ApiError,
  ConnectionError,
  NoResponseError,
  UnexpectedResponseError,
  UnsendableHeaderError,
} from '../../src/client/errors.ts'
import { reasonOf } from '../../src/client/network-failures.ts'

const system = (code: string, more: object = {}) => Object.assign(new Error(`raw ${code}`), { code, ...more })
const URL_OF_PAYMENT = 'http://127.0.0.1:7770/v1/public/payments/x'

describe('reasonOf', () => {
  const refused = (address?: string, port?: number) => system('ECONNREFUSED', { address, port })
  const at = (address: string) => refused(address, 7770)

  test.each([
    ['text', 'text'],
    [new TypeError('fetch failed', { cause: new Error('deep') }), 'deep'],
    [new TypeError('fetch failed', { cause: 'not an error' }), 'fetch failed'],
    [new Error('fails', { cause: at('::1') }), 'nothing listens at [::1]:7770 (ECONNREFUSED)'],
    [system('EODD'), 'raw EODD'],
    [refused(), 'nothing listens (ECONNREFUSED)'],
    [refused('127.0.0.1'), 'nothing listens at 127.0.0.1 (ECONNREFUSED)'],
    [system('ECONNRESET'), 'the connection was closed (ECONNRESET)'],
    [system('ENOTFOUND'), 'the host name is unknown (ENOTFOUND)'],
    [system('EAI_AGAIN'), 'the host name could not be resolved (EAI_AGAIN)'],
    [system('ETIMEDOUT'), 'no response in time (ETIMEDOUT)'],
    [system('EHOSTUNREACH'), 'no route to the host (EHOSTUNREACH)'],
    [system('EPIPE'), 'the connection was closed (EPIPE)'],
    [system('UND_ERR_SOCKET'), 'the connection was closed before a response'],
    [system('UND_ERR_CONNECT_TIMEOUT'), 'no connection in time'],
    [system('UND_ERR_HEADERS_TIMEOUT'), 'no response in time'],
    [system('UND_ERR_BODY_TIMEOUT'), 'the response did not end in time'],
    [system('HPE_INVALID_CONSTANT'), 'the response is not HTTP'],
    [
      Object.assign(system('UND_ERR_SOCKET'), { message: 'bad upgrade' }),
      'it responded 101 (switching protocols) instead of 2xx',
    ],
    [
      Object.assign(system('ERR_ASSERTION'), { message: 'false: assert(upgrade)' }),
      'it responded 101 (switching protocols) instead of 2xx',
    ],
    [Object.assign(system('EODD'), { errors: [] }), 'raw EODD'],
    [
      new AggregateError([at('127.0.0.1'), at('::1'), at('::1')]),
      'nothing listens at 127.0.0.1:7770 and [::1]:7770 (ECONNREFUSED)',
    ],
    [new AggregateError([at('::1'), refused()]), 'nothing listens at [::1]:7770 (ECONNREFUSED)'],
    [
      new AggregateError([at('::1'), system('ETIMEDOUT', { address: '127.0.0.1', port: 7770 })]),
      'nothing listens at [::1]:7770 (ECONNREFUSED), no response in time at 127.0.0.1:7770 (ETIMEDOUT)',
    ],
    [
      new AggregateError([refused(), refused(), system('EPIPE')]),
      'nothing listens (ECONNREFUSED), the connection was closed (EPIPE)',
    ],
    [new AggregateError([system('EODD'), system('EODD')]), 'raw EODD'],
    [new AggregateError([new Error('one'), new Error('two'), new Error('one')]), 'one, two'],
  ])('describes %o as %j', (cause, reason) => {
    expect(reasonOf(cause)).toBe(reason)
  })
})

describe('a ConnectionError', () => {
  const SERVER = 'http://127.0.0.1:7770'
  const HINT = 'Is the server running? Start one with `psp serve`, or name another with --url or PSP_URL.'

  test.each([
    ['text', 'text'],
    [system('ECONNREFUSED'), 'nothing listens (ECONNREFUSED)'],
    [system('ECONNRESET', { syscall: 'connect' }), 'the connection was closed (ECONNRESET)'],
    [
      Object.assign(system('ECONNRESET'), {
        message: 'Client network socket disconnected before secure TLS connection was established',
      }),
      'the connection was closed (ECONNRESET)',
    ],
    [new Error('fetch failed', { cause: system('ENOTFOUND') }), 'the host name is unknown (ENOTFOUND)'],
  ])('says that the server cannot be reached because of %o', (cause, reason) => {
    const error = new ConnectionError(URL_OF_PAYMENT, cause, { headers: { 'Idempotency-Key': 'k' }, method: 'POST' })
    expect({ ...error, message: error.message, cause: error.cause }).toEqual({
      name: 'ConnectionError',
      code: 'unreachable',
      message: `${SERVER} cannot be reached: ${reason}`,
      cause,
      url: URL_OF_PAYMENT,
      sent: false,
      idempotencyKey: 'k',
      hint: HINT,
    })
  })

  test.each([
    'ECONNRESET',
    'EPIPE',
    'UND_ERR_SOCKET',
    'UND_ERR_HEADERS_TIMEOUT',
    'UND_ERR_BODY_TIMEOUT',
    'HPE_INVALID_CONSTANT',
  ])('says that the response was lost after %s, also as the cause of another error', (code) => {
    for (const cause of [system(code), new Error('fetch failed', { cause: system(code) })]) {
      const error = new ConnectionError(URL_OF_PAYMENT, cause)
      expect(error).toMatchObject({ sent: true, idempotencyKey: undefined })
      expect(error.message).toBe(`${SERVER} was reached, but its response was lost: ${reasonOf(cause)}`)
    }
  })

  const AGAIN = 'Try again. A fault may have closed the connection: `psp faults list`.'
  test.each([
    [{}, AGAIN],
    [{ method: 'GET', headers: { 'Idempotency-Key': 'k' } }, AGAIN],
    [{ method: 'HEAD' }, AGAIN],
    [
      { method: 'POST', headers: { Accept: 'application/json' } },
      'The server may have processed the request. Before you try again, run `psp logs` to see what was received.',
    ],
    [
      { method: 'POST', headers: { Accept: 'x', 'idempotency-KEY': Buffer.from('ключ').toString('latin1') } },
      'The server may have processed the request. Send the same request again with `Idempotency-Key: ключ`: the response contains the existing object, and no second one is created.',
    ],
  ])('has a hint for the lost response to %j', (request, hint) => {
    expect(new ConnectionError(URL_OF_PAYMENT, system('ECONNRESET'), request).hint).toBe(hint)
  })

  test('has the hint of a server that does not respond', () => {
    const cause = new NoResponseError()
    expect({ ...cause, message: cause.message }).toEqual({
      name: 'NoResponseError',
      code: 'no_response',
      message: 'the server does not respond, not even to a health check',
      hint: 'The process of the server may be suspended or overloaded. Run `psp doctor`, then stop the server and start it again.',
    })
    expect(new ConnectionError(URL_OF_PAYMENT, cause)).toMatchObject({
      message: `${SERVER} cannot be reached: the server does not respond, not even to a health check`,
      hint: cause.hint,
    })
  })
})

test.each([
  ['text/html', undefined, 'with text/html instead of JSON'],
  ['application/json; charset=utf-8', undefined, 'with a body that is not valid JSON'],
  [null, undefined, 'with no content type instead of JSON'],
  ['text/html', 'a stream', 'with text/html instead of a stream'],
  ['JSON', undefined, 'with JSON, but it is not a psp server'],
])('an UnexpectedResponseError names the content type %j', (contentType, wanted, what) => {
  const error = new UnexpectedResponseError(502, 'http://a/b', contentType, wanted)
  expect({ ...error, message: error.message }).toEqual({
    name: 'UnexpectedResponseError',
    code: 'unexpected_response',
    status: 502,
    message: `http://a/b responded 502 ${what}.`,
    hint: 'Check the address. It must be the base URL of a psp server, without a path.',
  })
})

test('an UnsendableHeaderError names the header', () => {
  const error = new UnsendableHeaderError('Idempotency-Key')
  expect({ ...error, message: error.message }).toEqual({
    name: 'UnsendableHeaderError',
    code: 'unsendable_header',
    header: 'Idempotency-Key',
    message: 'Idempotency-Key: the value contains characters that cannot be sent in a header.',
    hint: 'Use ASCII letters, digits and punctuation, on one line.',
  })
})

const LISTED = 'lists them. --url and --data choose the sandbox.'
const LISTED_FOR_KEY = 'lists them. A key (--api-key, PSP_API_KEY) only sees the objects of its shop.'
const UUID = '429153df-fd2e-4b2a-82a9-19fba155e777'
const order = (word: string) =>
  `Is it an order? \`psp payments list --order-id ${word}\` lists its payments; \`psp payments list\` lists all.`

test.each<[status: number, code: string, message: string, hint: string]>([
  [400, 'bad_request', 'amount: expected a number.', 'Correct it and try again.'],
  [
    401,
    'unauthorized',
    'x',
    'Pass a key of this sandbox with --api-key or PSP_API_KEY. `psp config --env` prints that of the default shop.',
  ],
  [
    401,
    'unauthorized',
    'This server was started with --control-token.',
    'Pass the token that the server was started with. Ask the person who started it.',
  ],
  [402, 'odd', 'x', '`psp logs` shows the request.'],
  [399, 'odd', 'x', '`psp logs` shows the request.'],
  [401, 'odd', 'x', '`psp logs` shows the request.'],
  [409, 'not_allowed', 'x', 'Check the current status of the object.'],
  [
    409,
    'not_allowed',
    'The seed cannot be applied.',
    '`psp store reset --all` also restores shops and settings. If that fails too, correct the seed.',
  ],
  [
    409,
    'not_allowed',
    'No endpoint of the shop subscribes to this event. Add an endpoint, or pass a url.',
    '`psp webhooks endpoints create URL` creates one. `--to URL` sends it only to that URL.',
  ],
  [
    409,
    'not_allowed',
    'The endpoint of this delivery was deleted.',
    '`psp events replay EVENT` sends it to the current endpoints; with `--to URL`, it sends it to that URL instead.',
  ],
  [
    409,
    'not_allowed',
    'The payment is already succeeded, which is final. The action pay is no longer possible.',
    'Create a payment that waits for the action: `psp payments create --amount 100 --outcome pending`.',
  ],
  [409, 'not_allowed', 'The payment is paid.', '`psp events list --object ID` lists the events of the payment.'],
  [409, 'not_allowed', 'The payout is paid.', '`psp events list --object ID` lists the events of the payout.'],
  [404, 'not_found', 'x', 'Check the id, and the sandbox (--url, --data). Objects of another shop are not visible.'],
  [404, 'not_found', `There is no payment ${UUID}.`, `\`psp payments list\` ${LISTED_FOR_KEY}`],
  [404, 'not_found', `There is no payment ${UUID} for this API key.`, `\`psp payments list\` ${LISTED_FOR_KEY}`],
  [404, 'not_found', 'There is no such payment.', `\`psp payments list\` ${LISTED_FOR_KEY}`],
  [404, 'not_found', `There is no payment x${UUID}.`, order(`x${UUID}`)],
  [404, 'not_found', `There is no payment ${UUID}0.`, order(`${UUID}0`)],
  [404, 'not_found', 'There is no payment 1.2/3 for this API key.', order('1.2/3')],
  [404, 'not_found', "There is no payment it's; x.", order("'it'\\''s; x'")],
  [400, 'odd', 'There is no payment 1.', 'Correct it and try again.'],
  [404, 'not_found', 'There is no such payout.', `\`psp payouts list\` ${LISTED_FOR_KEY}`],
  [404, 'not_found', 'There is no shop x.', `\`psp shops list\` ${LISTED}`],
  [404, 'not_found', 'There is no key x.', `\`psp keys list\` ${LISTED}`],
  [404, 'not_found', 'There is no webhook endpoint x.', `\`psp webhooks endpoints list\` ${LISTED}`],
  [404, 'not_found', 'There is no such endpoint.', `\`psp webhooks endpoints list\` ${LISTED}`],
  [404, 'not_found', 'There is no delivery x.', `\`psp webhooks deliveries list\` ${LISTED}`],
  [404, 'not_found', 'There is no event x.', `\`psp events list\` ${LISTED}`],
  [404, 'not_found', 'There is no rule x.', `\`psp rules list\` ${LISTED}`],
  [404, 'not_found', 'There is no fault x.', `\`psp faults list\` ${LISTED}`],
  [404, 'not_found', 'There is no snapshot x.', `\`psp store snapshots\` ${LISTED}`],
  [499, 'odd', 'x', '`psp logs` shows the request.'],
  [500, 'odd', 'x', 'The server failed, or a fault made it fail: `psp logs` shows which.'],
  [599, 'odd', 'x', 'The server failed, or a fault made it fail: `psp logs` shows which.'],
  [600, 'odd', 'x', '`psp logs` shows the request.'],
  [
    503,
    'storage_unavailable',
    'x',
    'Check the disk of the data directory. `psp doctor` checks it. If the disk is full, delete other files: `psp store reset` frees space only at the next checkpoint.',
  ],
  [429, 'rate_limited', 'x', 'Wait 1 s and try again.'],
])('the hint of the status %d with %s and the message %j is %j', (status, code, message, hint) => {
  expect(new ApiError(status, code, message).hint).toBe(hint)
})

test('the hint of a 429 contains its time', () => {
  expect(new ApiError(429, 'unauthorized', 'x', 3)).toMatchObject({ hint: 'Wait 3 s and try again.', retryAfter: 3 })
})
