import { expect, test } from 'vitest'
import { describeFailure, describeTimeout } from '../../src/domain/receiver-failures.ts'
import { failureInRussian } from '../../src/domain/russian-receiver-failures.ts'

const URL = 'http://shop.test:3000/hooks'
const failed = (code: string, phase: 'connecting' | 'reading' = 'connecting') =>
  failureInRussian(describeFailure(Object.assign(new Error('x'), { code }), URL, phase))

test.each([
  ['ECONNREFUSED', 'Нет соединения: на shop.test:3000 нет сервера. Ваш сервер запущен?'],
  ['ENOTFOUND', 'DNS не знает имя shop.test:3000. Проверьте хост в URL.'],
  ['EAI_AGAIN', 'Адрес shop.test:3000 не найден: DNS не ответил.'],
  ['ETIMEDOUT', 'Нет соединения с shop.test:3000: нет ответа. Проверьте адрес, порт и файрвол.'],
  ['EHOSTUNREACH', 'Нет маршрута до shop.test:3000.'],
  ['ENETUNREACH', 'Нет маршрута до shop.test:3000.'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'Сертификат TLS выдан не для имени shop.test:3000.'],
  ['CERT_HAS_EXPIRED', 'Сертификат TLS у shop.test:3000 истёк.'],
  ['EOTHER', 'Запрос к shop.test:3000 не удался: x'],
])('the failure %s has a Russian message', (code, message) => {
  expect(failed(code)).toBe(message)
})

test.each([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'Сертификат TLS у shop.test:3000 не принят (DEPTH_ZERO_SELF_SIGNED_CERT).'],
  ['EPROTO', 'Соединение TLS с shop.test:3000 не удалось (EPROTO).'],
  ['HPE_OTHER', 'Ответ от shop.test:3000 не в формате HTTP.'],
  ['ECONNRESET', 'shop.test:3000 закрыл соединение до ответа. Посмотрите его журнал.'],
])('the cause of the failure %s is Russian', (code, cause) => {
  expect(failed(code).startsWith(cause)).toBe(true)
})

test('a connection that was closed in a response has a Russian message', () => {
  const message = 'shop.test:3000 закрыл соединение посреди ответа. Посмотрите его журнал.'
  expect(failed('ECONNRESET', 'reading')).toBe(message)
})

test.each([
  ['connecting', 'Нет соединения с shop.test:3000 за 15s. Проверьте адрес, порт и файрвол.'],
  ['waiting', 'Нет ответа от shop.test:3000 за 15s. Сначала ответьте, потом выполняйте долгую работу.'],
  ['reading', 'Ответ от shop.test:3000 не закончился за 15s.'],
] as const)('a deadline that passed while %s has a Russian message', (phase, message) => {
  expect(failureInRussian(describeTimeout(URL, 15_000, phase))).toBe(message)
})

test('a status and an unknown message stay as they are', () => {
  expect(['400', 'Something else.'].map(failureInRussian)).toEqual(['400', 'Something else.'])
})
