// The settings that may explain a difference between a recorded response and that of the sandbox.
import { describe, expect, test } from 'vitest'
import { NO_TOLERANCE } from '../../src/recordings/compare/compare-json.ts'
import { compareResponse } from '../../src/recordings/compare/compare-response.ts'
import { type RecordedCall, recordedCall, toCallResponse } from '../../src/recordings/compare/recorded-call.ts'
import { serviceClock } from '../../src/recordings/compare/service-clock.ts'
import { SETTING_RULES } from '../../src/recordings/compare/setting-rules.ts'
import { harEntry } from '../../src/recordings/har.ts'

type Response = readonly [status: number, body: unknown]

const NO_RESPONSE: Response = [0, undefined]

interface Exchange {
  readonly request: string
  readonly sent?: object
  readonly key?: string
  /** Bytes of the request body, if the recording does not contain it. */
  readonly size?: number
  /** ms after the start of the recording. */
  readonly at?: number
  readonly recorded: Response
}

const START = Date.UTC(2026, 4, 6, 12)

function callOf({ request, sent, key, size = -1, at = 0, recorded: [status, body] }: Exchange): RecordedCall {
  const [method, path] = request.split(' ')
  const text = JSON.stringify(body) ?? ''
  const entry = harEntry.parse({
    startedDateTime: new Date(START + at).toISOString(),
    time: 10,
    request: {
      method,
      url: `https://psp.example/v1/public/${path}`,
      headers: key === undefined ? [] : [{ name: 'Idempotency-Key', value: key }],
      bodySize: size,
      ...(sent && { postData: { mimeType: 'application/json', text: JSON.stringify(sent) } }),
    },
    response: { status, headers: [], content: { size: text.length, mimeType: 'application/json', text } },
  })
  return recordedCall(entry, 1) as RecordedCall
}

/** Returns the proposed values by setting, if the sandbox sends another response to the exchange than the service did. */
function proposed(exchange: Exchange, sandbox: Response, earlier: readonly Exchange[] = []): object {
  const calls = [...earlier, exchange].map(callOf)
  const call = callOf(exchange)
  const [status, body] = sandbox
  const inSandbox = toCallResponse(status, new Map(), JSON.stringify(body))
  const differences = compareResponse(call, call.response as never, inSandbox, () => NO_TOLERANCE)
  const recording = { calls, clock: serviceClock(calls) }
  const found = SETTING_RULES.map(({ setting, values }) => [setting, values(differences, recording)] as const)
  return Object.fromEntries(found.filter(([, values]) => values.length > 0))
}

const error = (code: string) => ({ error: { code, message: code } })
const TIME = '2026-05-06T12:00:00.000Z'
const HOUR = 60 * 60_000

/** Compares a read of a payment with the recorded fields. */
const read = (recorded: object, sandbox: object) =>
  proposed({ request: 'GET payments/p1', recorded: [200, recorded] }, [200, sandbox])

describe('the fields of an object', () => {
  const naming = ['shop', 'terminal', 'both']

  test.each<[string, object, object, object]>([
    [
      'shop fields instead of those of a terminal',
      { shop_id: 'a', shop_name: 'b' },
      { terminal_id: 'a', terminal_name: 'b' },
      { naming },
    ],
    ['no terminal fields', {}, { terminal_id: 'a' }, { naming }],
    ['a shop in a nested object', { payment: { shop_name: 'b' } }, { payment: {} }, { naming }],
    ['an unset time as null instead of no field', { captured_at: null }, {}, { empty_dates: ['null'] }],
    ['an unset time as an empty string instead of no field', { captured_at: '' }, {}, { empty_dates: [''] }],
    [
      'an unset time as null instead of an empty string',
      { captured_at: null },
      { captured_at: '' },
      { empty_dates: ['null'] },
    ],
    [
      'no field for an unset time instead of null',
      {},
      { payment: 1, processing_until: null },
      { empty_dates: ['omit'] },
    ],
    ['no field for an unset time instead of an empty string', {}, { finalized_at: '' }, { empty_dates: ['omit'] }],
    [
      'seconds without a fraction',
      { created_at: '2026-05-06T12:00:00Z' },
      { created_at: TIME },
      { time_fraction: [0] },
    ],
    ['milliseconds', { created_at: TIME }, { created_at: '2026-05-06T12:00:00Z' }, { time_fraction: [3] }],
    ['microseconds', { created_at: '2026-05-06T12:00:00.000000Z' }, { created_at: TIME }, { time_fraction: [6] }],
    ['nanoseconds', { created_at: '2026-05-06T12:00:00.000000000Z' }, { created_at: TIME }, { time_fraction: [9] }],
  ])('%s may be due to a setting', (_, recorded, sandbox, settings) => {
    expect(read(recorded, sandbox)).toEqual(settings)
  })

  test.each<[string, object, object]>([
    ['the same fields', { id: 'a', shop_id: 'a' }, { id: 'b', shop_id: 'b' }],
    ['a field that the sandbox does not know', { note: null }, {}],
    ['another format of a shop id', { shop_id: '3f2a9c1e-0b5d-4c57-9a53-0c1d2e3f4a5b' }, { shop_id: 'a' }],
    ['another field whose name ends with that of a shop field', { workshop_id: 'a' }, {}],
    ['a time that only one side has', { captured_at: TIME }, { finalized_at: TIME }],
    ['a time that the sandbox has not set', { captured_at: TIME }, { captured_at: null }],
    [
      'a number of fraction digits that no setting gives',
      { created_at: '2026-05-06T12:00:00.0000Z' },
      { created_at: TIME },
    ],
    ['another status', { status: 'pending', created_at: TIME }, { status: 'failed', created_at: TIME }],
    [
      'a phone that only the sandbox masks',
      { payer: { phone_mask: '+79160001234' } },
      { payer: { phone_mask: '+7 *** ***-12-34' } },
    ],
    ['a list of another length', { refunds: [] }, { refunds: [{}] }],
  ])('no setting explains %s', (_, recorded, sandbox) => {
    expect(read(recorded, sandbox)).toEqual({})
  })
})

describe('the lifetimes of an object', () => {
  const payment = (more: object) => ({ created_at: TIME, method: 'sbp', ...more })

  test('a link that expires after another time', () => {
    const recorded = payment({ expires_at: '2026-05-06T13:00:00.000Z' })
    const sandbox = payment({ expires_at: '2026-05-07T12:00:00.000Z' })
    expect(read(recorded, sandbox)).toEqual({ link_ttl: ['1h'] })
    expect(read({ payment: recorded }, { payment: sandbox })).toEqual({ link_ttl: ['1h'] })
    expect(read(recorded, payment({}))).toEqual({})
  })

  test.each([
    ['sbp', '2026-05-06T12:15:20.400Z', ['15m', '15m20s']],
    ['cards', '2026-05-06T12:00:30.000Z', ['1s', '30s']],
    ['cash', '2026-05-06T12:15:20.000Z', undefined],
  ])('a bank session of %s that ends at %s', (method, processing_until, values) => {
    const recorded = payment({ method, processing_until })
    const sandbox = payment({ method, processing_until: '2026-05-06T12:20:00.000Z' })
    expect(read(recorded, sandbox)).toEqual(values === undefined ? {} : { [`session_ttl.${method}`]: values })
  })
})

describe('the amount in USDT', () => {
  const payment = (amount: number, amount_usdt: number, currency = 'RUB'): Response => [
    200,
    { payment: { amount, amount_usdt, currency } },
  ]
  const exchange = (recorded: Response): Exchange => ({ request: 'GET payments/p1', recorded })

  test('the rate is that of the largest recorded amount in roubles, with fewer and more digits', () => {
    const earlier = [
      payment(20_000, 2.16),
      payment(1_000_000, 108.07),
      payment(5_000_000, 1, 'USD'),
      payment(9_000_000, 0),
      [200, []] as const,
      NO_RESPONSE,
    ].map(exchange)
    const { usdt_rate } = proposed(exchange(payment(10_000, 1.08)), payment(10_000, 1.25), earlier) as {
      usdt_rate: number[]
    }
    expect(usdt_rate).toEqual([93, 92.5, 92.53, 92.533, 92.5326, 92.532618])
  })

  test('the rate may differ together with other values', () => {
    expect(proposed(exchange(payment(10_000, 1)), payment(20_000, 1.25))).toMatchObject({
      usdt_rate: [100, 100, 100, 100, 100, 100],
    })
  })

  test('a rate below 1 is not rounded to 0', () => {
    expect(proposed(exchange(payment(40, 1)), payment(40, 0.01))).toEqual({ usdt_rate: [0.4, 0.4, 0.4, 0.4, 0.4] })
  })

  test('no rate explains another difference, or an amount in another currency', () => {
    const { recorded } = exchange(payment(10_000, 1.08))
    expect(proposed(exchange(recorded), payment(20_000, 1.08))).toEqual({})
    expect(proposed(exchange(recorded), [200, { payment: { amount: 10_000, currency: 'RUB' } }])).toEqual({})
    expect(proposed(exchange(payment(100, 1, 'USD')), payment(100, 2, 'USD'))).toEqual({})
  })
})

describe('the status of a response', () => {
  const create: Exchange = { request: 'POST payments', recorded: [201, {}] }
  const refund: Exchange = { request: 'POST payments/p1/refund', recorded: [201, {}] }
  const payout: Exchange = { request: 'POST payouts', recorded: [201, {}] }
  const stream: Exchange = { request: 'GET events', recorded: [200, {}] }
  const refused = (status: number, code: string): Response => [status, error(code)]
  const OK: Response = [201, {}]

  test.each<[string, Exchange, Response, object]>([
    [
      '401 for a missing signature',
      { ...create, recorded: refused(401, 'signature_required') },
      refused(400, 'signature_required'),
      { signature_status: [401] },
    ],
    [
      '400 for an invalid signature',
      { ...create, recorded: refused(400, 'invalid_signature') },
      refused(401, 'invalid_signature'),
      { signature_status: [400] },
    ],
    [
      '403 for an invalid signature',
      { ...create, recorded: refused(403, 'invalid_signature') },
      refused(400, 'invalid_signature'),
      {},
    ],
    [
      '401 for another reason',
      { ...create, recorded: refused(401, 'unauthorized') },
      refused(400, 'signature_required'),
      {},
    ],
    [
      'a body that only the service accepts',
      { ...create, sent: { colour: 1 } },
      refused(400, 'bad_request'),
      { strict_body: [false] },
    ],
    [
      'a body that only the sandbox accepts',
      { ...create, sent: { colour: 1 }, recorded: refused(400, 'bad_request') },
      OK,
      { strict_body: [true] },
    ],
    ['a request without a body that only the service accepts', create, refused(400, 'bad_request'), {}],
    [
      'a body that neither accepts',
      { ...create, sent: {}, recorded: refused(400, 'bad_request') },
      refused(422, 'bad_request'),
      {},
    ],
    ['a body that both accept', { ...create, sent: {}, recorded: [200, {}] }, OK, {}],
    [
      'an http return_url that only the service accepts',
      { ...create, sent: { return_url: 'http://localhost' } },
      refused(400, 'bad_request'),
      { strict_body: [false], http_return_url: [true] },
    ],
    [
      'an http return_url that only the sandbox accepts',
      { ...create, sent: { return_url: 'http://localhost' }, recorded: refused(400, 'bad_request') },
      OK,
      { strict_body: [true], http_return_url: [false] },
    ],
    [
      'an https return_url that only the service accepts',
      { ...create, sent: { return_url: 'https://localhost' } },
      refused(400, 'bad_request'),
      { strict_body: [false] },
    ],
    [
      'a refund that only the service accepts',
      refund,
      refused(422, 'amount_exceeds_remainder'),
      { reserve_pending_refunds: [false] },
    ],
    [
      'a refund that only the sandbox accepts',
      { ...refund, recorded: refused(422, 'amount_exceeds_remainder') },
      OK,
      { reserve_pending_refunds: [true] },
    ],
    [
      'a payout that only the service accepts',
      payout,
      refused(502, 'router_error'),
      { unknown_bank: ['accept', 'bank_unknown', 'router_error'] },
    ],
    [
      'a payout that the service accepts and that fails because of its bank',
      { ...payout, recorded: [201, { payout: { failure_code: 'bank_unknown' } }] },
      refused(502, 'router_error'),
      { unknown_bank: ['bank_unknown', 'accept', 'router_error'] },
    ],
    [
      'a second stream that only the service refuses',
      { ...stream, recorded: refused(409, 'stream_busy') },
      [200, {}],
      { stream_second: ['reject'] },
    ],
    [
      'a second stream that only the sandbox refuses',
      stream,
      refused(409, 'stream_busy'),
      { stream_second: ['replace'] },
    ],
    [
      'a read that only the service refuses',
      { request: 'GET payments/p1', recorded: refused(409, 'conflict') },
      [200, {}],
      {},
    ],
  ])('%s may be due to exactly the settings about it', (_, exchange, sandbox, settings) => {
    expect(proposed(exchange, sandbox)).toEqual(settings)
  })
})

test('a payout that failed because of its bank is found among other calls', () => {
  const payout = (recorded: Response): Exchange => ({ request: 'POST payouts', recorded })
  const earlier = [NO_RESPONSE, [201, { payout: { failure_code: 'bank_unknown' } }], [200, []]] as const
  expect(proposed(payout([201, {}]), [502, error('router_error')], earlier.map(payout))).toEqual({
    unknown_bank: ['bank_unknown', 'accept', 'router_error'],
  })
})

describe('the number of banks', () => {
  const banks = (count: number): Response => [200, Array.from({ length: count }, () => ({}))]

  test('a directory of another length', () => {
    expect(proposed({ request: 'GET banks/sbp', recorded: banks(1) }, banks(2))).toEqual({ banks: ['full', 'top30'] })
  })

  test('no setting explains another list, or another field of a bank', () => {
    expect(proposed({ request: 'GET payments', recorded: banks(1) }, banks(2))).toEqual({})
    expect(proposed({ request: 'GET banks/sbp', recorded: banks(1) }, [200, [{ logo: '' }]])).toEqual({})
  })
})

describe('a repeated Idempotency-Key', () => {
  const creation: Exchange = { request: 'POST payments', key: 'k', recorded: [201, {}] }
  const repeated = (at: number, recorded: number, sandbox: number, first = creation) =>
    proposed({ ...creation, at, recorded: [recorded, {}] }, [sandbox, {}], [first])

  test.each([
    ['the next usual lifetime above its age, if the service knew it', 2 * HOUR, 200, '6h'],
    ['the usual lifetime up to its age, if the service had forgotten it', 2 * HOUR, 201, '2h'],
    ['the usual lifetime below its age, if the service had forgotten it', 2 * HOUR - 1, 201, '1h'],
    ['its age in whole seconds, if no usual lifetime is longer', 31 * 24 * HOUR + 500, 200, '31d'],
    ['its age in whole seconds, if no usual lifetime is shorter', 30_500, 201, '30s'],
  ])('may be stored for %s', (_, age, status, ttl) => {
    expect(repeated(age, status, status === 200 ? 201 : 200)).toEqual({ idempotency_ttl: [ttl] })
  })

  test('no lifetime explains a request whose first use is not known', () => {
    expect(repeated(HOUR, 200, 201, { ...creation, key: 'other' })).toEqual({})
    expect(repeated(HOUR, 200, 201, { ...creation, recorded: [409, error('conflict')] })).toEqual({})
    expect(repeated(HOUR, 200, 201, { ...creation, at: HOUR })).toEqual({})
    expect(repeated(HOUR, 409, 201)).toEqual({})
    const { key: _, ...keyless } = creation
    expect(proposed({ ...keyless, at: HOUR, recorded: [200, {}] }, [201, {}], [keyless])).toEqual({})
  })
})

describe('the limit of bodies', () => {
  const upload = (size: number, status: number): Exchange => ({ request: 'PUT files', size, recorded: [status, {}] })

  test.each([
    ['the power of two between them', [upload(3000, 201)], upload(5000, 413), 200, [4096, 3000]],
    ['the largest accepted size', [upload(4500, 201)], upload(5000, 413), 200, [4500, 4500]],
    [
      'the largest accepted size, one byte below a refused one',
      [upload(4999, 201)],
      upload(5000, 413),
      200,
      [4999, 4999],
    ],
    [
      'the largest accepted size, below a refused power of two',
      [upload(3000, 201)],
      upload(4096, 413),
      200,
      [3000, 3000],
    ],
    [
      'the same without requests that got no response',
      [upload(3000, 201), upload(9000, 0)],
      upload(5000, 413),
      200,
      [4096, 3000],
    ],
    ['the power of two above the accepted size', [], upload(5000, 201), 413, [8192]],
  ])('may be %s in the recording', (_, earlier, exchange, sandbox, body_limit) => {
    expect(proposed(exchange, [sandbox, {}], earlier)).toEqual({ body_limit })
  })

  test('does not explain refusals of bodies that are smaller than an accepted one', () => {
    expect(proposed(upload(5000, 413), [200, {}], [upload(6000, 201)])).toEqual({})
  })

  test('is found in a recording with more calls than a function may have arguments', () => {
    const call = (size: number, status: number) => ({ size, status }) as RecordedCall
    const calls = [...Array.from({ length: 200_000 }, () => call(3000, 201)), call(5000, 413)]
    const detail = { recorded: { status: 413 }, sandbox: { status: 201 }, call: calls.at(-1) }
    const difference = {
      kind: 'status',
      operation: 'POST',
      at: '',
      recorded: '413',
      sandbox: '201',
      entry: 1,
      detail,
    } as const
    const rule = SETTING_RULES.find(({ setting }) => setting === 'body_limit')
    expect(rule?.values([difference], { calls, clock: serviceClock([]) })).toEqual([4096, 3000])
  })
})
