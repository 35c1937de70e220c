// An error that the simulator is configured to return names its source, and its hint says how to stop it.
import { afterEach, expect, test } from 'vitest'
import { ApiError } from '../../src/client/errors.ts'
import { errorText } from '../../src/dashboard/text/error-text.ts'
import { type StartOptions, startSandbox, type TestSandbox } from '../../src/testing/index.ts'

let psp: TestSandbox
afterEach(() => psp.close())

/** Returns the error of a call, with the id of the rule or fault as `ID`. */
async function errorOf(options: StartOptions, call: () => Promise<unknown>): Promise<ApiError> {
  psp = await startSandbox({ clock: 'frozen', listen: false, ...options } as StartOptions)
  const error = await call().catch((thrown: unknown) => thrown)
  if (!(error instanceof ApiError)) throw new Error('The call was not rejected.')
  return error
}

const pay = (amount = 100, more: object = {}) => psp.payments.create({ amount, order_id: 'A-1', ...more })
const send = (phone: string, bank_id = '100000000004') =>
  psp.payouts.create({ amount: 100, currency: 'RUB', phone, bank_id })

const MAGIC = 'Use another value, or turn off magic values: `psp settings set magic=false`.'

test.each<[title: string, StartOptions, () => Promise<unknown>, code: string, source: string, hint: string]>([
  ['a magic amount', {}, () => pay(10_029), 'rate_limited', 'magic amount 29', MAGIC],
  ['a magic amount', {}, () => pay(10_098), 'internal_error', 'magic amount 98', MAGIC],
  ['a magic amount', {}, () => pay(10_093), 'aml_blocked', 'magic amount 93', MAGIC],
  [
    'a magic description',
    {},
    () => pay(100, { description: 'FORBIDDEN_PURPOSE' }),
    'forbidden_purpose',
    'magic description FORBIDDEN_PURPOSE',
    MAGIC,
  ],
  ['a magic phone', {}, () => send('+70000000093'), 'aml_blocked', 'magic phone 93', MAGIC],
  [
    'a magic bank',
    {},
    () => send('+79161234567', '100000000241'),
    'method_not_supported',
    'magic bank 100000000241',
    MAGIC,
  ],
  ['a magic bank', {}, () => send('+79161234567', '100000000999'), 'router_error', 'magic bank 100000000999', MAGIC],
  [
    'the header',
    {},
    () => psp.payments.create({ amount: 100 }, { outcome: 'error:rate_limited' }),
    'rate_limited',
    'the header X-PSP-Simulate',
    'Send another plan in this header (`--outcome`), or omit it.',
  ],
  [
    'metadata',
    {},
    () => pay(100, { metadata: { simulate: 'error:internal_error' } }),
    'internal_error',
    'metadata.simulate',
    'Change or remove this field.',
  ],
  [
    'the default',
    { settings: { default_outcome: 'error:aml_blocked' } },
    () => pay(),
    'aml_blocked',
    'the setting default_outcome',
    '`psp settings set default_outcome=succeeded` changes it.',
  ],
])('an error of %s names its source and how to stop it', async (_, options, call, code, source, hint) => {
  const error = await errorOf(options, call)
  expect([error.code, error.hint]).toEqual([code, hint])
  expect(error.message).toMatch(/^[A-Z].*\. The simulator is configured to return this error: /)
  expect(error.message.endsWith(`: ${source}.`)).toBe(true)
  expect(errorText(error, { language: 'ru' }).endsWith(`: ${source}.`)).toBe(true)
})

const tryAgain = (kind: string) => `A ${kind} that does not apply to every request may let the next one succeed.`

test.each([
  ['rule', { rules: [{ plan: 'error:rate_limited', times: 1 }] }],
  ['fault', { faults: [{ target: 'api', fault: 'status:503', times: 1 }] }],
  ['rule', { rules: [{ plan: ['error:rate_limited', 'succeeded'] }] }],
] as const)(
  'after an error of a %s that does not make every request fail, the hint says that trying again may succeed: %j',
  async (kind, options) => {
    expect((await errorOf(options, () => pay())).hint).toContain(tryAgain(kind))
    expect(await pay()).toMatchObject({ payment: { status: 'pending' } })
  },
)

test('an error of a rule names the rule, and the command that removes it', async () => {
  const error = await errorOf({ rules: [{ plan: 'error:rate_limited' }] }, () => pay())
  const [rule] = (await psp.client.control.rules.list()).items
  expect(error.message).toBe(`Too many requests. The simulator is configured to return this error: rule ${rule?.id}.`)
  expect(error.hint).toBe(`\`psp rules remove ${rule?.id}\` removes the rule. ${tryAgain('rule')}`)
})

test.each([400, 401, 404, 422, 429, 500, 502, 503])('the fault status:%i has the hint of a fault', async (status) => {
  const faults = [{ target: 'api', fault: `status:${status}` }] as const
  const error = await errorOf({ faults }, () => pay())
  expect(error.status).toBe(status)
  expect(error.hint).toBe(
    `\`psp faults list\` shows the faults, and \`psp faults remove ID\` removes one. ${tryAgain('fault')}`,
  )
  expect(errorText(error, { language: 'ru' })).toContain(`(status:${status})`)
})

test('a real rate limit keeps the hint to wait', () => {
  expect(new ApiError(429, 'rate_limited', 'Too many requests. Retry in 2 s.', 2).hint).toBe('Wait 2 s and try again.')
})
