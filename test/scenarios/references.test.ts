// References of steps to the results of earlier steps.
import { describe, expect, test } from 'vitest'
import { getPath } from '../../src/domain/json-values.ts'
import { findReferences, resolveReferences } from '../../src/scenarios/references.ts'

const ref = (path: string) => `\${${path}}`
const results = new Map<string, unknown>([
  ['pay', { payment: { id: 'p1', amount: 5, none: null, list: [{ id: 'a' }] } }],
  ['done', undefined],
])
const resolved = (value: unknown) => resolveReferences(value, results)

test.each([
  [ref('pay.payment.amount'), 5],
  [ref(' pay.payment.amount '), 5],
  [ref('pay.payment.none'), null],
  [ref('pay.payment.list.0.id'), 'a'],
  [ref('pay.payment.list.length'), 1],
  [ref('pay'), results.get('pay')],
  [`x-${ref('pay.payment.id')}`, 'x-p1'],
  [`${ref('pay.payment.id')}${ref('pay.payment.amount')}`, 'p15'],
  [
    { a: ref('pay.payment.amount'), b: [`x-${ref('pay.payment.id')}`, null], c: 1 },
    { a: 5, b: ['x-p1', null], c: 1 },
  ],
  [ref(''), ref('')],
  ['$pay', '$pay'],
])('the value %j becomes %j', (value, expected) => {
  expect(resolved(value)).toEqual(expected)
})

test.each([
  ['pya.payment.id', 'no earlier step has the id pya'],
  ['pay.payment.nope', 'the result of pay has no payment.nope'],
  ['pay.payment.id.length', 'the result of pay has no payment.id.length'],
  ['pay.constructor.name', 'the result of pay has no constructor.name'],
  ['done', 'the result of done has no '],
])('the reference %s is rejected', (path, problem) => {
  const error = expect.objectContaining({ name: 'UnknownReferenceError', message: `${ref(path)}: ${problem}.` })
  expect(() => resolved({ id: [ref(path)] })).toThrow(error)
  expect(() => resolved(`x ${ref(path)}`)).toThrow(error)
})

describe('a path', () => {
  test.each([
    [{ a: [1, 2] }, 'a.length', 2],
    [{ a: [1, 2] }, 'a.1', 2],
    [{ a: [1, 2] }, 'a.2', undefined],
    [{ a: null }, 'a.b', undefined],
    [{ a: { length: 7 } }, 'a.length', 7],
    [{ a: { 'delays.bank': '2s' } }, 'a.delays.bank', '2s'],
    ['text', 'length', undefined],
    [{}, 'toString', undefined],
  ])('in %j leads with the keys %s to %j', (value, path, expected) => {
    expect(getPath(value, path)).toBe(expected)
  })
})

test('the references of a value are found at any depth, with the id of their step', () => {
  const value = { a: `${ref('pay.x')}-${ref(' list.0 ')}`, b: [{ c: ref('one') }, 5, null], d: true }
  expect(findReferences(value)).toEqual([
    { text: ref('pay.x'), id: 'pay' },
    { text: ref(' list.0 '), id: 'list' },
    { text: ref('one'), id: 'one' },
  ])
  expect(findReferences(undefined)).toEqual([])
})
