import { isIPv6 } from 'node:net'
import { describe, expect, test } from 'vitest'
import { HTTP_URL_PATTERN, IPV6, isHttpUrl, parsedUrl } from '../../src/domain/http-url.ts'
import { sources } from '../architecture/source.ts'

describe('an http or https URL', () => {
  test.each([
    'https://shop.example/thanks?order=A-1&items[]=1#top',
    'HTTP://localhost:3000',
    'http://my_app:8080/hooks',
    'http://7f3a9c2b1d4e:3000/',
    'https://shop.example./',
    'http://127.0.0.1:65535/',
    'http://[::1]:3000/',
    'http://[2001:db8::7]/hooks',
    'http://[::ffff:127.0.0.1]/',
  ])('the URL %s is valid and matches the pattern of the documents', (url) => {
    expect(isHttpUrl(url)).toBe(true)
    expect(url).toMatch(new RegExp(HTTP_URL_PATTERN))
  })

  test.each([
    'ftp://shop.example/',
    'shop.example/hooks',
    'https://',
    'https://shop.example*/',
    'https://{{host}}/hooks',
    'https://-shop.example/',
    'https://shop..example/',
    'http://256.0.0.1/',
    'http://[::1/',
    'http://[1::2::3]/',
    'http://localhost:65536/',
    'http://localhost:/',
    'http://shop.example\\@attacker.example/',
    'https://shop.example/a b',
    'https://shop.example/\u0007',
  ])('the text %s is not valid and does not match the pattern of the documents', (url) => {
    expect(isHttpUrl(url)).toBe(false)
    expect(url).not.toMatch(new RegExp(HTTP_URL_PATTERN))
  })

  test.each(['https://пример.рф/путь', 'https://user:secret@shop.example/', 'http://127.1/', 'http://0x7f.1/'])(
    'the URL %s is valid, although the documents describe only plain hosts',
    (url) => {
      expect(isHttpUrl(url)).toBe(true)
    },
  )
})

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

test('the pattern of IPv6 addresses agrees with Node for every number of groups before and after ::', () => {
  const pattern = new RegExp(`^${IPV6}$`)
  const groups = (count: number) =>
    Array.from({ length: count }, (_, at) => 'abcdef12'.slice(0, (at % 4) + 1)).join(':')
  for (let count = 0; count <= 9; count++) expect([count, pattern.test(groups(count))]).toEqual([count, count === 8])
  for (let before = 0; before <= 8; before++) {
    for (let after = 0; after <= 8; after++) {
      const address = `${groups(before)}::${groups(after)}`
      expect([address, pattern.test(address)]).toEqual([address, isIPv6(address)])
    }
  }
  for (const address of ['1:2:3:4:5:6:7:12345', '1::2::3', ':1:2:3:4:5:6:7', 'g::', ''])
    expect([address, pattern.test(address)]).toEqual([address, false])
})
