import { expect, test } from 'vitest'
import { numberLiterals } from '../../src/domain/number-literals.ts'

test.each([
  ['{"a":1.00000000000000000001}', ['a']],
  ['{"a":-100.00000000000000000001,"b":2}', ['a']],
  ['{"a":9007199254740990.99999}', ['a']],
  ['{"a":100000000000000000000e-20}', []],
  ['{"a":100000000000000000001e-20}', ['a']],
  ['{"a":1.00000000000000000000}', []],
  ['{"a":100.000000000000000000e2}', []],
  ['{"a":12345678901234567890}', []],
  ['{"a":"1.00000000000000000001"}', []],
  ['{"a":"x\\"1.00000000000000000001","b":0.12345678901234567890}', []],
  ['{"a":{"b":1.00000000000000000001}}', []],
  ['{"a":1e-400,"b":2E-0999,"c":0e-400,"d":1e-300}', ['a', 'b']],
  ['[1.00000000000000000001]', ['0']],
  ['1.00000000000000000001', []],
  ['{"__proto__":1.00000000000000000001}', ['__proto__']],
] as const)('the rounded fields of %s are %j', (text, fields) => {
  expect([...numberLiterals(text).rounded().keys()]).toEqual(fields)
})

test('a long text full of escapes is parsed in linear time', () => {
  const text = JSON.stringify({ a: '\\"'.repeat(500_000), b: 1234567890123456 })
  expect([...numberLiterals(text).rounded().keys()]).toEqual([])
})

test('a text with millions of escapes is parsed without a stack overflow', () => {
  const text = `{"a":${JSON.stringify('\\"'.repeat(10_000_000))},"b":1e400}`
  expect(numberLiterals(text).at(['b'])).toBe('1e400')
})
