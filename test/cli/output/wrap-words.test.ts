import { expect, test } from 'vitest'
import { wrapWords } from '../../../src/cli/output/wrap-words.ts'
import { psp } from '../helpers.ts'

test('breaks between words, never within one, and leaves what fits', () => {
  expect(wrapWords('fits  as it  is', 15)).toEqual(['fits  as it  is'])
  expect(wrapWords('one two three\nfour', 8)).toEqual(['one two', 'three', 'four'])
  expect(wrapWords('a 0123456789abcdef b', 8)).toEqual(['a', '0123456789abcdef', 'b'])
})

test('looks take no room', () => {
  expect(wrapWords('\u001b[2mone two\u001b[22m', 7)).toEqual(['\u001b[2mone two\u001b[22m'])
})

test('remarks and errors on a terminal fit it; piped they stay on their lines', async () => {
  const line = ['payments', 'create', '--amount', '100', '--method', 'pigeon post '.repeat(12).trim()]
  const shown = await psp(line, { terminal: true, env: { NO_COLOR: '1' } })
  expect(Math.max(...shown.stderr.split('\n').map((text) => text.length))).toBeLessThanOrEqual(100)
  expect(shown.stderr.trimEnd().split('\n').length).toBeGreaterThan(2)
  const piped = await psp(line)
  expect(piped.stderr.trimEnd().split('\n')).toHaveLength(2)
  expect(shown.stderr.replace(/\s+/g, ' ')).toBe(piped.stderr.replace(/\s+/g, ' '))
})
