// JSON texts in which single values are replaced.
import { expect, test } from 'vitest'
import { editJson } from '../../src/domain/edit-json.ts'

test('a string with millions of escapes is read without a stack overflow', () => {
  const text = `{"a":${JSON.stringify('\\"'.repeat(10_000_000))},"b":"old"}`
  const edited = editJson(text, ({ value }) => (value === 'old' ? 'new' : undefined))
  expect(edited.endsWith('"b":"new"}')).toBe(true)
  expect(edited.length).toBe(text.length)
})

test('a string with a quote, a backslash or a bracket at its end is one value', () => {
  const values: string[] = []
  editJson(String.raw`{"k\"":["\\","[\"]","}"],"n":-1.5e3}`, ({ kind, value }) => void values.push(`${kind} ${value}`))
  expect(values).toEqual(['key k"', 'string \\', 'string ["]', 'string }', 'key n', 'number -1.5e3'])
})
