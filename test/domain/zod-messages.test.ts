import { expect, test } from 'vitest'
import * as z from 'zod'
import { expected } from '../../src/domain/zod-messages.ts'

test.each([
  ['a text', z.string(), 5],
  ['a number', z.number(), 'x'],
  ['an integer', z.int(), 1.5],
  ['true or false', z.boolean(), 1],
  ['a list', z.array(z.string()), 1],
  ['an object', z.strictObject({}), 1],
  ['a number', z.number(), undefined],
  ['one of v2, v1', z.enum(['v2', 'v1']), 'v3'],
  ['no field b', z.strictObject({}), { b: 1 }],
])('an invalid value is described as %s', (text, schema, value) => {
  const issue = schema.safeParse(value).error?.issues[0]
  expect(issue && expected(issue)).toBe(text)
})
