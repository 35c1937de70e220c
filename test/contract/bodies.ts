// Spec 4 and 8: valid bodies, and the errors of invalid ones.
import { expect } from 'vitest'
import {
  type CallResponse,
  createPayment,
  createPayout,
  expectWarning,
  get,
  PAYMENTS,
  PAYOUTS,
  post,
  succeeded,
} from './caller.ts'
import { section } from './case.ts'

const of = section('4')

/** 400 `bad_request` whose message names the field. */
function expectBad(reply: CallResponse, field: string, ...words: string[]): void {
  expect(reply.body?.error?.code, reply.text).toBe('bad_request')
  expect(reply.status).toBe(400)
  expect(reply.body.error.message).toContain(field)
  for (const word of words) expect(reply.body.error.message).toContain(word)
}

const WRONG_FIELDS: readonly (readonly [field: string, values: readonly unknown[], expected: string])[] = [
  ['amount', [undefined, null, 0, -1, 1.5, '100', true, [], {}], 'an integer'],
  ['currency', ['', 'rub', 'RU', 'XXX', 'XAU', 'ABC', 643, [], {}], 'ISO 4217'],
  ['method', ['', 'SBP', 'card', 'payouts_sbp', 1, []], 'one of sbp, cards'],
  ['order_id', [1, true, [], {}], 'a string'],
  ['customer_id', [1, [], {}], 'a string'],
  ['description', [1, [], {}], 'a string'],
  ['return_url', ['', 'http://shop.example', 'shop.example', '//shop.example', 'javascript:alert(1)', 5, {}], 'https'],
  ['return_url', ['https://', 'https://a b', 'https://a\n.example', ' https://shop.example'], 'return_url'],
  ['webhook_url', ['', 'ftp://shop.example', 'shop.example/hook', 'http://', 5, []], 'http'],
  ['metadata', ['', 'a', 5, true, []], 'an object'],
]

const WRONG_PAYOUT_FIELDS: typeof WRONG_FIELDS = [
  ['amount', [undefined, null, 0, 1.5, '1'], 'an integer'],
  ['currency', ['', 'rub', 1], 'ISO 4217'],
  ['method', ['', 'sbp', 1], 'payouts_sbp'],
  [
    'phone',
    [undefined, null, '', '79991234567', '+7999123456', '+799912345678', '+7999123456x', '+7999123456\n', 5],
    '+7',
  ],
  [
    'bank_id',
    [undefined, null, '', '10000000011', '1000000001111', '10000000011x', '１００００００００１１１', 5],
    '12 digits',
  ],
  ['full_name', ['a\nb', 'a\rb', 'a\u2028b', 5, []], 'line'],
]

export const BODY_CASES = [
  ...WRONG_FIELDS.map(([field, values, expected]) =>
    of(`payments: a wrong ${field} is 400 and says what was expected (${expected})`, async (adapter) => {
      for (const value of values) expectBad(await createPayment(adapter, { [field]: value }), field, expected)
    }),
  ),
  ...WRONG_PAYOUT_FIELDS.map(([field, values, expected]) =>
    of(`payouts: a wrong ${field} is 400 and says what was expected (${expected})`, async (adapter) => {
      for (const value of values) expectBad(await createPayout(adapter, { [field]: value }), field, expected)
    }),
  ),
  of('a refund with an invalid amount or reason is 400', async (adapter) => {
    const id = await succeeded(adapter)
    for (const amount of ['1', 1.5, -1, true, []]) {
      expectBad(await post(adapter, `${PAYMENTS}/${id}/refund`, { amount }), 'amount', 'an integer')
    }
    expectBad(await post(adapter, `${PAYMENTS}/${id}/refund`, { reason: 5 }), 'reason', 'a string')
  }),
  of('a body that is not a JSON object is 400', async (adapter) => {
    for (const body of [
      '',
      ' ',
      '[]',
      '"text"',
      'null',
      '1',
      'true',
      '{',
      '{"amount":1,}',
      "{'amount':1}",
      '{"a":1}x',
      'NaN',
    ]) {
      expectBad(await post(adapter, PAYMENTS, body), 'body', 'expected')
      expectBad(await post(adapter, PAYOUTS, body), 'body', 'expected')
    }
    expectBad(await post(adapter, PAYMENTS), 'body')
  }),
  of('a body that is not UTF-8 or has a byte order mark is 400', async (adapter) => {
    expectBad(await post(adapter, PAYMENTS, Buffer.from('{"amount":1,"order_id":"\xff"}', 'latin1')), 'body', 'UTF-8')
    expectBad(await post(adapter, PAYMENTS, Buffer.from('{"amount":1}', 'utf16le')), 'body', 'UTF-16')
    expectBad(await post(adapter, PAYMENTS, '\ufeff{"amount":1}'), 'body', 'byte order mark')
  }),
  of('the content type must be application/json in UTF-8 or absent', async (adapter) => {
    const send = (type: string) =>
      post(adapter, PAYMENTS, Buffer.from('{"amount":1}'), { headers: type === '' ? {} : { 'Content-Type': type } })
    for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"']) {
      expect((await send(type)).status).toBe(201)
    }
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=utf-16', 'x']) {
      expectBad(await send(type), 'Content-Type', 'application/json')
    }
    const bare = await adapter.fetch(PAYMENTS, {
      method: 'POST',
      headers: { Authorization: `Bearer ${adapter.shop.api_key}` },
      body: new Blob(['{"amount":1}']),
    })
    expect(bare.status).toBe(201)
  }),
  of('an optional field that is null is absent', async (adapter) => {
    const { status, body } = await createPayment(adapter, {
      currency: null,
      method: null,
      order_id: null,
      customer_id: null,
      return_url: null,
      description: null,
      webhook_url: null,
      metadata: null,
    })
    expect(status).toBe(201)
    expect(body.payment).toMatchObject({ currency: 'RUB', method: 'any', metadata: { mode: 'test' } })
    expect(body.payment.order_id).toMatch(/^ord_\d{13}$/)
    expect(body.payment).not.toHaveProperty('return_url')
    expect((await createPayout(adapter, { currency: null, method: null, full_name: null })).status).toBe(201)
  }),
  of('an empty order_id, customer_id, description, reason or full_name is absent', async (adapter) => {
    const { body } = await createPayment(adapter, { order_id: '', customer_id: '', description: '' })
    expect(body.payment.order_id).toMatch(/^ord_/)
    expect(body.payment.metadata).not.toHaveProperty('customer_id')
    const payout = await createPayout(adapter, { full_name: '' })
    expect(payout.body.payout.recipient).not.toHaveProperty('full_name')
    const refund = await post(adapter, `${PAYMENTS}/${await succeeded(adapter)}/refund`, { reason: '' })
    expect(refund.body).not.toHaveProperty('reason')
  }),
  of('a number with an integer value is an integer', async (adapter) => {
    for (const [text, amount] of [
      ['1e2', 100],
      ['100.0', 100],
      ['0.1e1', 1],
      ['1E+2', 100],
    ] as const) {
      const { body } = await post(adapter, PAYMENTS, `{"amount":${text}}`)
      expect(body.payment.amount).toBe(amount)
    }
  }),
  of('an integer above 9007199254740991 is 400 with a message', async (adapter) => {
    const { body } = await post(adapter, PAYMENTS, '{"amount":9007199254740991}')
    expect(body.payment.amount).toBe(9007199254740991)
    for (const text of ['9007199254740992', '9007199254740993', '18446744073709551616', '1e30', '1e400']) {
      expectBad(await post(adapter, PAYMENTS, `{"amount":${text}}`), 'amount', '9007199254740991')
    }
  }),
  of('a fraction that a double cannot represent is not an integer', async (adapter) => {
    for (const text of ['100.00000000000000000001', '9007199254740990.9999', '0.99999999999999999999']) {
      expectBad(await post(adapter, PAYMENTS, `{"amount":${text}}`), 'amount', 'integer')
    }
    expect((await post(adapter, PAYMENTS, '{"amount":100.00000000000000000000}')).status).toBe(201)
    const inText = '{"amount":1,"order_id":"100.00000000000000000001","note":0.12345678901234567890}'
    expect((await post(adapter, PAYMENTS, inText)).status).toBe(201)
  }),
  of('the last of duplicate keys is used', async (adapter) => {
    const { body } = await post(adapter, PAYMENTS, '{"amount":1,"amount":2}')
    expect(body.payment.amount).toBe(2)
  }),
  of('unknown fields are ignored and named in the request log', async (adapter) => {
    expect((await createPayment(adapter, { amuont: 5, __proto__x: 1 })).status).toBe(201)
    await expectWarning(adapter, '"amuont"')
  }),
  of('the setting strict_body rejects unknown fields', async (adapter) => {
    await adapter.arrange.settings({ strict_body: true })
    expectBad(await createPayment(adapter, { amuont: 5 }), '"amuont"')
    expectBad(await post(adapter, PAYMENTS, '{"amount":1,"__proto__":{"amount":2}}'), '"__proto__"')
    expect((await createPayment(adapter)).status).toBe(201)
  }),
  of('a body that is nested too deeply is 400 at any depth', async (adapter) => {
    const deep = (levels: number) => `{"amount":1,"x":${'['.repeat(levels)}${']'.repeat(levels)}}`
    expectBad(await post(adapter, PAYMENTS, deep(1000)), 'nested')
    expectBad(await post(adapter, PAYMENTS, deep(500_000), { headers: { 'Idempotency-Key': 'deep' } }), 'nested')
    expect((await post(adapter, PAYMENTS, deep(20))).status).toBe(201)
  }),
  of('a body above 2 MiB is 413, and one just below is accepted', async (adapter) => {
    const sized = (bytes: number) => `{"amount":1,"description":"${'x'.repeat(bytes - 29)}"}`
    const limit = 2 * 1024 * 1024
    expect((await post(adapter, PAYMENTS, sized(limit))).status).toBe(201)
    const over = await post(adapter, PAYMENTS, sized(limit + 1))
    expect(over.status).toBe(413)
    expect(over.body.error.code).toBe('payload_too_large')
    expect((await createPayment(adapter)).status).toBe(201)
  }),
  of('the setting body_limit changes the limit', async (adapter) => {
    await adapter.arrange.settings({ body_limit: 2000 })
    expect((await createPayment(adapter, { description: 'x'.repeat(3000) })).status).toBe(413)
    expect((await createPayment(adapter, { description: 'x'.repeat(1000) })).status).toBe(201)
  }),
  of('metadata keeps each key and value unchanged', async (adapter) => {
    const text =
      '{"amount":1,"metadata":{"__proto__":"a","constructor":"b","toString":"c","":"d","ключ":"₽\\n\\u0000","x":""}}'
    const { body } = await post(adapter, PAYMENTS, text)
    const read = (await get(adapter, `${PAYMENTS}/${body.payment.id}`)).body
    expect(Object.entries(read.metadata)).toEqual(
      expect.arrayContaining([
        ['__proto__', 'a'],
        ['constructor', 'b'],
        ['toString', 'c'],
        ['', 'd'],
        ['ключ', '₽\n\u0000'],
        ['x', ''],
      ]),
    )
  }),
  of('a metadata value that is not a string is 400 with the name of its key', async (adapter) => {
    for (const value of [1, true, null, {}, []]) {
      expectBad(await createPayment(adapter, { metadata: { fine: 'x', odd: value } }), 'metadata.odd', 'a string')
    }
    expectBad(
      await post(adapter, PAYMENTS, '{"amount":1,"metadata":{"__proto__":5}}'),
      'metadata.__proto__',
      'a string',
    )
  }),
  of('metadata above the recommended size is accepted with a warning', async (adapter) => {
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`k${i}`, 'v']))
    expect((await createPayment(adapter, { metadata: many })).status).toBe(201)
    await expectWarning(adapter, '21 pairs')
    expect((await createPayment(adapter, { metadata: { long: 'x'.repeat(501) } })).status).toBe(201)
    await expectWarning(adapter, '500')
  }),
  of('a cancel needs no body and ignores one', async (adapter) => {
    const { body } = await createPayment(adapter)
    const reply = await post(adapter, `${PAYMENTS}/${body.payment.id}/cancel`, 'not json')
    expect(reply.body).toEqual({ status: 'cancelled' })
  }),
]
