import { expect, it } from 'vitest'
import { CONTROL_MESSAGES } from '../../src/dashboard/text/control-messages.ts'
import { russianLabel } from '../../src/dashboard/text/labels.ts'
import { LIST_MESSAGES } from '../../src/dashboard/text/list-messages.ts'
import { MESSAGES } from '../../src/dashboard/text/messages.ts'
import type { Form } from '../../src/view-model/forms/form.ts'
import { openNewForm, openRefundForm } from '../../src/view-model/forms/open-form.ts'
import { submitForm } from '../../src/view-model/forms/submit-form.ts'

it('no message of a list replaces another message of the dashboard', () => {
  for (const messages of [CONTROL_MESSAGES, LIST_MESSAGES]) expect(MESSAGES).toMatchObject(messages)
})

it.each([
  ['3 of at most 9', '3 из 9'],
  ['default', 'по умолчанию'],
  ['rule rul_1', 'правило rul_1'],
  ['former bank 100000000111', 'банк вышел из СБП: 100000000111'],
  ['bank unknown', 'неизвестный банк'],
  ['magic amount 51', 'магическое значение: amount 51'],
  ['magic description router-error', 'магическое значение: description router-error'],
  ['magic full_name TEST FAIL', 'магическое значение: full_name TEST FAIL'],
  ['wrong code', 'неверный код'],
  ['failed:card_lost@30s', 'отказ: card_lost@30s'],
  ['refused:do_not_honor', 'отказ сразу: do_not_honor'],
  ['error:router_error', 'ошибка: router_error'],
  ['succeeded@2m', 'успешно через 2m'],
  ['requires_action', 'ждёт покупателя'],
  ['45 ms', '45 мс'],
  ['12.3 s', '12.3 с'],
  ['of a newer server', 'of a newer server'],
])('the English value %j is shown in Russian as %j', (english, russian) => {
  expect(russianLabel(english)).toBe(russian)
})

const NEW_FORMS: readonly (readonly [what: 'payment' | 'payout', values: Form['values']])[] = [
  ['payment', { currency: 'XX' }],
  ['payment', { amount: '' }],
  ['payment', { amount: '', currency: 'JPY' }],
  ['payment', { amount: '', currency: 'KWD' }],
  ['payment', { outcome: 'succeeded', delay: 'soon' }],
  ['payout', { phone: '' }],
]

it.each(NEW_FORMS)('the problem of a new %s with %j is shown in Russian', (what, values) => {
  const form = openNewForm(what)
  expect(problemInRussian({ ...form, values: { ...form.values, ...values } })).toMatch(/^[А-Я]/)
})

it('the problem of a refund above the remainder is shown in Russian', () => {
  const form = openRefundForm('p', 5000, 'RUB')
  expect(problemInRussian({ ...form, values: { amount: '60' } })).toBe('Вернуть можно не больше 50.00 RUB.')
})

function problemInRussian(form: Form): string {
  const result = submitForm(form)
  return 'problem' in result ? russianLabel(result.problem) : ''
}
