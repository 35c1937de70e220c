// Spec 3.4 and 4.1: the return to the shop.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { returnLocation, returnUrlIssue } from '../../src/domain/return-url.ts'

const id = '3f2a7c1e-0000-4000-8000-000000000001'
const added = `payment_id=${id}&status=succeeded`

describe('the return location', () => {
  test.each([
    ['https://shop.example/done', `https://shop.example/done?${added}`],
    ['https://shop.example', `https://shop.example/?${added}`],
    ['https://shop.example/done?', `https://shop.example/done?${added}`],
    ['https://shop.example/done?order=7', `https://shop.example/done?order=7&${added}`],
    ['https://shop.example/done?order=7&', `https://shop.example/done?order=7&${added}`],
    ['https://shop.example/done?status=new', `https://shop.example/done?status=new&${added}`],
    ['https://shop.example/done?a=b?c', `https://shop.example/done?a=b?c&${added}`],
    ['https://shop.example/done?q=a%20b+c&flag', `https://shop.example/done?q=a%20b+c&flag&${added}`],
    ['https://shop.example/#/done?x=1', `https://shop.example/?${added}#/done?x=1`],
    ['https://shop.example/d?o=7#top', `https://shop.example/d?o=7&${added}#top`],
  ])('the return location of %s is %s', (returnUrl, location) => {
    expect(returnLocation(returnUrl, id, 'succeeded')).toBe(location)
  })

  test('the query of return_url is unchanged and comes before payment_id and status', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (text) => {
        const before = new URL(text)
        const after = new URL(returnLocation(text, id, 'failed'))
        const pairs = [...after.searchParams]
        expect(pairs.slice(0, -2)).toEqual([...before.searchParams])
        expect(pairs.slice(-2)).toEqual([
          ['payment_id', id],
          ['status', 'failed'],
        ])
        expect(after.hash).toBe(before.hash)
        expect(after.pathname).toBe(before.pathname)
      }),
    )
  })
})

describe('valid return URLs', () => {
  const strict = { allowLoopbackHttp: false }
  const local = { allowLoopbackHttp: true }

  test.each([
    'https://shop.example',
    'https://shop.example:8443/x?y#z',
    'HTTPS://shop.example/',
    'https://магазин.рф/я',
  ])('the return_url %s is valid', (text) => {
    expect(returnUrlIssue(text, strict)).toBeUndefined()
  })

  test.each([
    '',
    'shop.example',
    '/done',
    'https:shop.example',
    'https://',
    'ftp://shop.example',
    'javascript:alert(1)//https://x',
    ' https://shop.example',
    'https://shop.example/\n',
    'https://shop .example',
    'https://[::1',
  ])('the return_url %j is rejected', (text) => {
    expect(returnUrlIssue(text, local)).toContain('https://')
  })

  test.each([
    'http://localhost:3000/x',
    'http://127.0.0.1',
    'http://127.1/',
    'http://[::1]:80/',
    'http://app.localhost/',
  ])('the return_url %s is valid only if http on this machine is allowed', (text) => {
    expect(returnUrlIssue(text, strict)).toContain('http_return_url')
    expect(returnUrlIssue(text, local)).toBeUndefined()
  })

  test.each(['http://shop.example', 'http://localhost.evil.example', 'http://10.0.0.1', 'http://127.evil.example'])(
    'the return_url %s is always rejected',
    (text) => {
      expect(returnUrlIssue(text, strict)).toBe('return_url must start with https://.')
      expect(returnUrlIssue(text, local)).toContain('https://, or with http:// and a host of this machine')
    },
  )
})
