// The line of a request in `psp logs`, `psp tail` and `psp record`.
import { expect, test } from 'vitest'
import { PLAIN } from '../../../src/cli/output/colour.ts'
import { requestLine } from '../../../src/cli/output/lines.ts'
import type { RequestView } from '../../../src/client/request-types.ts'

const AT = new Date(2026, 4, 6, 12, 0, 1, 5).toISOString()
const REQUEST: RequestView = { at: AT, method: 'GET', path: '/v1/public/payments', status: 200, ms: 3 }
const lineOf = (more: Partial<RequestView>) => requestLine({ ...REQUEST, ...more }, AT, PLAIN, undefined)

test('a request without an error and warnings has one line', () => {
  expect(lineOf({})).toBe('12:00:01.005  200  GET    /v1/public/payments  3 ms')
  expect(lineOf({ code: null, decided_by: null } as never)).toBe(lineOf({}))
})

test('the error and the warnings of a request are below it', () => {
  const more = { method: 'POST', status: 400, code: 'bad_request', message: 'amount: required.', warnings: ['a', 'b'] }
  expect(lineOf(more).split('\n')).toEqual([
    '12:00:01.005  400  POST   /v1/public/payments  3 ms  bad_request',
    '              amount: required.',
    '              a',
    '              b',
  ])
})

test('the source of an outcome ends the line', () => {
  expect(lineOf({ status: 503, code: 'simulated_fault', decided_by: 'fault flt_1' }).split('  ').slice(-2)).toEqual([
    'simulated_fault',
    'by fault flt_1',
  ])
})
