import { expect, test } from 'vitest'
import { isHttpUrl, parsedUrl } from '../../src/domain/http-url.ts'
import { sources } from '../architecture/source.ts'

test('parsedUrl returns a URL, or undefined for other texts', () => {
  expect(parsedUrl('https://пример.рф/a?b#c')?.href).toBe('https://xn--e1afmkfd.xn--p1ai/a?b#c')
  expect([parsedUrl(''), parsedUrl('/hooks'), parsedUrl('http://'), parsedUrl('http://h h/')]).toEqual(
    Array.from({ length: 4 }, () => undefined),
  )
})

// Enough calls for the engine to compile the function.
test('parsedUrl accepts the same URL again after the engine has compiled it', () => {
  const url = 'https://café.example/zurück'
  const refused = Array.from({ length: 20_000 }, () => isHttpUrl(url)).indexOf(false)
  expect(refused).toBe(-1)
})

test('no source file uses URL.canParse', () => {
  const asking = [...sources('src'), ...sources('bin')].filter(({ text }) => /\bURL\.canParse\(/.test(text))
  expect(asking.map(({ path }) => path)).toEqual([])
})
