import { describe, expect, test } from 'vitest'
import { HTTP_URL_PATTERN, isHttpUrl } from '../../src/domain/http-url.ts'

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
