// Errors quote a JSON number as it was sent, even if it does not fit a double.
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { readSeed } from '../../src/http/control/seed.ts'
import { seededRandomness } from '../../src/random.ts'
import { assembleSandbox, type Sandbox } from '../../src/sandbox.ts'

let sandbox: Sandbox
beforeEach(async () => {
  sandbox = await assembleSandbox({ clock: { mode: 'frozen' } })
})
afterEach(() => sandbox.close())

async function refusal(method: string, path: string, body: string): Promise<string> {
  const headers = { authorization: `Bearer ${sandbox.defaultShop().api_key}`, 'content-type': 'application/json' }
  const response = await sandbox.fetch(new Request(`http://127.0.0.1:7770${path}`, { method, headers, body }))
  expect(response.status).toBe(400)
  return ((await response.json()) as { error: { message: string } }).error.message
}

const AMOUNT = 'expected an integer in minor units from 1 to 9007199254740991'

describe('a body of the public API', () => {
  it.each(['1e400', '-1e400', '9007199254740993', '9223372036854775808', '1e16', '-9007199254740993'])(
    'with the amount %s is refused with this number',
    async (written) => {
      const expected = `amount: ${AMOUNT}, got ${written}.`
      expect(await refusal('POST', '/v1/public/payments', `{"amount":${written}}`)).toBe(expected)
      expect(await refusal('POST', '/v1/public/payments', `{"amount": ${written} , "metadata":{}}`)).toBe(expected)
    },
  )

  it('with a nested number is refused with this number', async () => {
    const body = '{"amount":1,"metadata":{"a\\"1e9":"1e400","b":1e400}}'
    expect(await refusal('POST', '/v1/public/payments', body)).toContain('metadata.b: expected a string')
    expect(await refusal('POST', '/v1/public/payments', body)).toContain('got 1e400.')
  })

  it('with a fraction that parsing loses is refused with this number', async () => {
    const body = '{"amount":100.00000000000000000001}'
    expect(await refusal('POST', '/v1/public/payments', body)).toBe(
      'amount: expected an integer, got 100.00000000000000000001.',
    )
  })

  it('is refused with its number if it is a number', async () => {
    expect(await refusal('POST', '/v1/public/payments', '1e400')).toBe('body: expected a JSON object, got 1e400.')
  })

  it('is accepted if a larger number is in an unknown field', async () => {
    const headers = { authorization: `Bearer ${sandbox.defaultShop().api_key}`, 'content-type': 'application/json' }
    const body = '{"amount":1,"trace":12345678901234567890}'
    const request = new Request('http://127.0.0.1:7770/v1/public/payments', { method: 'POST', headers, body })
    expect((await sandbox.fetch(request)).status).toBe(201)
  })
})

describe('a body of the control API', () => {
  it.each([
    ['POST', '/_psp/rules', '{"plan":"failed","times":1e400}', 'times: expected an integer from 1 to 1000000000'],
    ['POST', '/_psp/faults', '{"target":"api","fault":"cut","probability":1e400}', 'probability: expected '],
    ['POST', '/_psp/clock', '{"mode":"scaled","speed":1e400}', 'speed: expected '],
    ['POST', '/_psp/shops', '{"endpoints":[{"url":1e400}]}', 'endpoints.0.url: expected '],
    ['PATCH', '/_psp/settings', '{"rate_limit":1e400}', 'rate_limit: expected '],
    ['POST', '/_psp/trigger', '{"event":"payment.failed","set":{"amount":1e400}}', `amount: ${AMOUNT}`],
    ['POST', '/_psp/trigger', '{"event":"payout.failed","set":{"amount":1e400}}', `amount: ${AMOUNT}`],
    ['POST', '/_psp/trigger', '{"event":"payment.refunded","set":{"refund_amount":1e400}}', 'amount: expected '],
  ])('%s %s %s is refused with the number as it was sent', async (method, path, body, start) => {
    for (const written of ['1e400', '9007199254740993']) {
      const message = await refusal(method, path, body.replace('1e400', written))
      expect(message).toContain(start)
      expect(message).toMatch(new RegExp(`, got ${written}\\.?$`))
    }
  })
})

test.each([
  ['{"payments":[{"amount":1},{"amount":1e400}]}', 'payments[1].amount: '],
  ['{"payouts":[{"amount":1e400,"phone":"+79161234567","bank_id":"100000000111"}]}', 'payouts[0].amount: '],
  ['{"rules":[{"plan":"failed","times":1e400}]}', 'rules[0].times: '],
  ['{"shops":[{"rate_limit":1e400}]}', 'shops[0].rate_limit: '],
  ['{"settings":{"rate_limit":1e400}}', 'settings: rate_limit: '],
])('the seed %s is refused with the number as it was written', (text, start) => {
  for (const written of ['1e400', '9007199254740993']) {
    const seed = text.replace('1e400', written)
    let message = ''
    try {
      const checked = readSeed(JSON.parse(seed), seed)
      sandbox.engine.execute('reset', {
        all: { shop: {} },
        seed: { shops: [], apply: (commit, keeps) => checked.apply(commit, keeps, () => seededRandomness(1)) },
      })
    } catch (error) {
      message = (error as Error).message
    }
    expect(message).toContain(start)
    expect(message).toMatch(new RegExp(`, got ${written}\\.?$`))
  }
})

test('a seed object is refused with the number that it contains', () => {
  expect(() => readSeed({ payments: [{ amount: Number.POSITIVE_INFINITY }] })).toThrow(`${AMOUNT}, got Infinity.`)
  expect(() => readSeed({ payments: [{ amount: 2 ** 53 }] })).toThrow(`${AMOUNT}, got 9007199254740992.`)
})
