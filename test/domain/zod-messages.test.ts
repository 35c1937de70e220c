import { expect, test } from 'vitest'
import * as z from 'zod'
import { expected, quote } from '../../src/domain/zod-messages.ts'

test.each([
  ['a string', z.string(), 5],
  ['a number', z.number(), 'x'],
  ['an integer', z.int(), 1.5],
  ['true or false', z.boolean(), 1],
  ['a list', z.array(z.string()), 1],
  ['an object', z.strictObject({}), 1],
  ['a number', z.number(), undefined],
  ['a list', z.tuple([z.string()]), 1],
  ['an object', z.record(z.string(), z.string()), 1],
  ['null', z.null(), 1],
  ['nothing', z.undefined(), 1],
  ['nothing', z.never(), 1],
  ['a string of at least 2', z.string().min(2), 'a'],
  ['a list of at most 1', z.array(z.string()).max(1), ['a', 'b']],
  ['a number of at most 3', z.number().max(3), 4],
  ['a complete URL', z.url(), 'a'],
  ['a string in another format', z.string().regex(/^b$/), 'a'],
  ['one of v2, v1', z.enum(['v2', 'v1']), 'v3'],
  ['no field b', z.strictObject({}), { b: 1 }],
])('an invalid value is described as %s', (text, schema, value) => {
  const issue = schema.safeParse(value).error?.issues[0]
  expect(issue && expected(issue)).toBe(text)
})

const CIRCULAR: { self?: object } = {}
CIRCULAR.self = CIRCULAR

test.each([
  [Number.POSITIVE_INFINITY, 'Infinity'],
  [Number.NaN, 'NaN'],
  [10n, '10n'],
  [1.5, '1.5'],
  ['a "b"', '"a \\"b\\""'],
  [null, 'null'],
  [{ a: [1] }, '{"a":[1]}'],
  [undefined, 'nothing'],
  [Symbol('a'), 'Symbol(a)'],
  [() => 1, 'a function'],
  [{}, '{}'],
  [Object.create(null), '{}'],
  [Promise.resolve(1), 'an object of the class Promise'],
  [new Map([[1, 2]]), 'an object of the class Map'],
  [{ toJSON: () => undefined }, 'a value that is not JSON'],
  [CIRCULAR, 'a value that is not JSON'],
])('quote of %o is %s', (value, text) => {
  expect(quote(value)).toBe(text)
})
