import { expect, it } from 'vitest'
import { CONTROL_MESSAGES } from '../../src/dashboard/text/control-messages.ts'
import { russianLabel } from '../../src/dashboard/text/labels.ts'
import { LIST_MESSAGES } from '../../src/dashboard/text/list-messages.ts'
import { MESSAGES } from '../../src/dashboard/text/messages.ts'

it('no message of a list replaces another message of the dashboard', () => {
  for (const messages of [CONTROL_MESSAGES, LIST_MESSAGES]) expect(MESSAGES).toMatchObject(messages)
})

it.each([
  ['3 of at most 9', '3 из 9'],
  ['default', 'по умолчанию'],
  ['rule rul_1', 'правило rul_1'],
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
