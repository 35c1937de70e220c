import { expect, test } from 'vitest'
import { baseUrl } from '../../src/domain/base-url.ts'

test.each([
  ['localhost:7770', 'http://localhost:7770'],
  ['HTTPS://API.psp.example/v//', 'https://api.psp.example/v'],
  ['127.0.0.1', 'http://127.0.0.1'],
  ['http://a:80/', 'http://a'],
  ['ftp://a', undefined],
  ['', undefined],
  ['http://', undefined],
])('%j', (text, url) => {
  expect(baseUrl(text)).toBe(url)
})
