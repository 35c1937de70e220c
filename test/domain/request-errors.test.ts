import { expect, test } from 'vitest'
import { causeAndFix, describeFailure, describeTimeout } from '../../src/domain/request-errors.ts'

const URL = 'http://pay.example.com:3000/hooks'
const failed = (code: string) => describeFailure(Object.assign(new Error('x. Y'), { code }), URL, 'waiting')

test.each([
  [failed('ECONNREFUSED'), 'Connection refused: nothing listens on pay.example.com:3000.', 'Is your server running?'],
  [
    failed('ECONNRESET'),
    'pay.example.com:3000 closed the connection before it responded.',
    'See its log. If it supports only HTTP/2, accept HTTP/1.1.',
  ],
  [failed('EHOSTUNREACH'), 'There is no route to pay.example.com:3000.', ''],
  [describeTimeout(URL, 1500, 'reading'), 'The response of pay.example.com:3000 did not end within 1s500ms.', ''],
  [
    describeTimeout(URL, 50, 'waiting'),
    'No response from pay.example.com:3000 within 50ms.',
    'Respond first, then do the slow work.',
  ],
  ['no sentence', 'no sentence', ''],
  ['', '', ''],
])('causeAndFix splits the message "%s"', (words, cause, advice) => {
  expect(causeAndFix(words)).toEqual({ cause, advice })
})
