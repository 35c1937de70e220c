// The errors of the server in the languages of the dashboard.
import { expect, it } from 'vitest'
import { ApiError } from '../../src/client/errors.ts'
import { errorText } from '../../src/dashboard/text/error-text.ts'
import { API_ERRORS, type ApiErrorCode } from '../../src/domain/errors.ts'

const EN = { language: 'en' } as const
const RU = { language: 'ru' } as const

/** Codes that no button of the dashboard can provoke. */
const RARE: readonly string[] = [
  'signature_required',
  'invalid_signature',
  'live_not_enabled',
  'ip_not_allowed',
  'aml_blocked',
  'forbidden_purpose',
  'method_not_allowed',
  'stream_busy',
  'unsupported_media_type',
]

it('an error in English has the text of the server', () => {
  expect(errorText(new ApiError(409, 'not_pending', 'The payment is not pending.'), EN)).toBe(
    'The payment is not pending.',
  )
})

it.each(Object.keys(API_ERRORS).filter((code) => !RARE.includes(code)) as ApiErrorCode[])(
  'Russian translates the code %s',
  (code) => {
    const { status, message } = API_ERRORS[code]
    expect(errorText(new ApiError(status, code, message), RU)).toMatch(/^[А-Я]/)
  },
)

it('an error in Russian has the details of the server after the translation', () => {
  expect(errorText(new ApiError(400, 'bad_request', 'amount: expected a number.'), RU)).toBe(
    'Запрос неверен. amount: expected a number.',
  )
})

it('a refused refund in Russian says how much is left', () => {
  const error = new ApiError(
    409,
    'amount_exceeds_remainder',
    'Only 40 minor units are left to refund, but 50 were requested.',
  )
  expect(errorText(error, RU)).toBe(
    'Сумма больше остатка, который можно вернуть. Only 40 minor units are left to refund, but 50 were requested.',
  )
})

it.each([
  [new ApiError(418, 'teapot', 'I am a teapot.'), 'I am a teapot.'],
  [new Error('The browser did not allow copying.'), 'The browser did not allow copying.'],
  ['a text', 'a text'],
  [undefined, 'undefined'],
])('an error without a translation keeps its text: %s', (error, text) => {
  expect(errorText(error, RU)).toBe(text)
})
