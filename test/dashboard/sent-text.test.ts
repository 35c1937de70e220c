// The toast after webhooks were sent.
import { expect, test } from 'vitest'
import { sentText } from '../../src/dashboard/state/sent-text.ts'
import { MESSAGES, type MessageKey } from '../../src/dashboard/text/messages.ts'
import { failureInRussian } from '../../src/domain/russian-receiver-failures.ts'

/** Fills in the messages as the dashboard does. */
function createTranslate(language: 'en' | 'ru') {
  const fill = (key: MessageKey, values: object) =>
    Object.entries(values).reduce(
      (text, [name, value]) => text.replace(`{${name}}`, String(value)),
      MESSAGES[key][language === 'en' ? 0 : 1] as string,
    )
  return Object.assign(fill, { result: language === 'en' ? (text: string) => text : failureInRussian })
}

const REFUSED = 'Connection refused: nothing listens on http://x. Is your server running?'
const accepted = { url: 'http://a/', attempts: [{ status: null, error: REFUSED }, { status: 200 }] }
const refused = { url: 'http://b/', attempts: [{ status: 200 }, { status: null, error: REFUSED }] }
const retried = { url: 'http://c/', attempts: [{ status: 500 }], next_attempt_at: '2026-05-06T12:00:10.000Z' }

test('a delivered webhook has the status of its response', () => {
  expect(sentText([accepted], createTranslate('en'))).toEqual({ text: 'Sent: 200 ← http://a/', hasFailed: false })
})

test('a webhook that was not delivered has its receiver and the reason', () => {
  expect(sentText([refused], createTranslate('en'))).toEqual({
    text: `Not delivered to http://b/: ${REFUSED}`,
    hasFailed: true,
  })
  expect(sentText([refused], createTranslate('ru'))).toEqual({
    text: 'Не доставлено на http://b/: Нет соединения: на http://x нет сервера. Ваш сервер запущен?',
    hasFailed: true,
  })
})

test('several webhooks are listed, with the time of the next attempt', () => {
  expect(sentText([accepted, retried, { url: 'http://d/', attempts: [] }], createTranslate('en'))).toEqual({
    text: 'Sent: 200 ← http://a/; Not delivered to http://c/ (next attempt 2026-05-06 12:00:10): 500; Not delivered to http://d/: no attempt was made',
    hasFailed: true,
  })
})
