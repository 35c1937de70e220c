// Masking finds secrets and personal data by their names in every form of text, also if it is not valid.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createMasking } from '../../src/recordings/masking.ts'

const masking = createMasking({ key: Buffer.alloc(32, 7) })
const masked = (text: string, type = '') => masking.body(Buffer.from(text), type)?.toString() ?? ''

const letters = fc.string({ unit: fc.constantFrom(...'abcdefghijkmnpqrstuvwxyz'), minLength: 9, maxLength: 20 })
const SECRETS = [
  'password',
  'pass',
  'pwd',
  'pin',
  'session',
  'api_key',
  'apiKey',
  'access_token',
  'sig',
  'otp',
  'пароль',
]
const PERSONAL = [
  'full_name',
  'customerName',
  'ФИО',
  'birth_date',
  'iban',
  'inn',
  'passport',
  'snils',
  'email',
  'phone',
]
const field = fc.constantFrom(...SECRETS, ...PERSONAL)

/** Texts in which a value has a name. */
const FORMS: Readonly<Record<string, (name: string, value: string) => string>> = {
  'JSON with a byte order mark': (name, value) => `\ufeff${JSON.stringify({ a: 1, [name]: value })}`,
  'JSON without its end': (name, value) => `{"a":1,"${name}":"${value}","b":[1,{"c":`,
  'JSON that ends inside of the value': (name, value) => `{"a":1,"${name}" : "${value}`,
  'formatted JSON with a comment': (name, value) => `{\n  // a comment\n  "${name}":\n    "${value}",\n}`,
  'JSON with single quotes': (name, value) => `{'a': 1, '${name}': '${value}'}`,
  'JSON with a list that is not closed': (name, value) => `{"a":1,"${name}":["${value}", "b"`,
  'JSON inside of a JSON string': (name, value) => JSON.stringify({ a: JSON.stringify({ [name]: value }) }),
  'JSON inside of a text': (name, value) => `got ${JSON.stringify({ a: JSON.stringify({ [name]: value }) })} there`,
  'a cut line of an event stream': (name, value) => `: hi\n\ndata: {"${name}":"${value}","b\n\n`,
  'a URL in a JSON string': (name, value) => `{"url":"https://a.example/b?c=1&${name}=${value}&d=2#e"}`,
  'a URL in a text': (name, value) => `see https://a.example/b?${name}=${value} now`,
  'a fragment of a URL': (name, value) => `https://a.example/b#${name}=${value}`,
  'a field of a text': (name, value) => `a=1\n${name}=${value}\nb=2`,
  'a line with a colon': (name, value) => `a: 1\r\n${name}: ${value}\r\nb: 2`,
  'an assignment in a text': (name, value) => `failed with ${name}=${value} today`,
  'a form with brackets': (name, value) => `data[user][${name}]=${value}&b=2`,
  'an XML element': (name, value) => `<?xml version="1.0"?><a><b>1</b><${name}>${value}</${name}></a>`,
  'an XML element with a namespace': (name, value) => `<a><s:${name} type="x">${value}</s:${name}></a>`,
  'an XML element with CDATA': (name, value) => `<a><${name}><![CDATA[${value}]]></${name}></a>`,
  'an XML element that is cut off': (name, value) => `<a><${name}>${value}`,
  'an XML attribute': (name, value) => `<a ${name}="${value}">text</a>`,
  'a part of a form': (name, value) =>
    `--x\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Type: text/plain\r\n\r\n${value}\r\n--x--\r\n`,
}

describe.each(Object.entries(FORMS))('a value in %s', (_, form) => {
  test('is masked if its name says that it is secret or personal', () => {
    fc.assert(
      fc.property(field, letters, fc.constantFrom('', 'text/plain', 'application/json'), (name, value, type) => {
        const text = masked(form(name, value), type)
        expect(text).not.toContain(value)
        expect(text).toContain(name)
      }),
      { numRuns: 300 },
    )
  })

  test('keeps all bytes if its name says nothing', () => {
    fc.assert(
      fc.property(letters, (value) => {
        const bytes = Buffer.from(form('order_id', value))
        expect(masking.body(bytes, 'text/plain')).toBe(bytes)
      }),
      { numRuns: 20 },
    )
  })
})

test('credentials with a scheme are masked in any text', () => {
  fc.assert(
    fc.property(letters, fc.constantFrom('Bearer', 'bearer', 'Basic'), (word, scheme) => {
      const value = `${word}Q1`
      for (const text of [`sent ${scheme} ${value}.`, JSON.stringify({ hint: `${scheme} ${value}` })])
        expect(masked(text)).not.toContain(value)
    }),
  )
  expect(masked('Basic information for the bearer of it')).toBe('Basic information for the bearer of it')
})

test('a sentence about a field is kept', () => {
  const bytes = Buffer.from('{"message":"description: must be shorter","hint":"api_key: it is missing"}')
  expect(masking.body(bytes)).toBe(bytes)
})

test('a signature in a query and a code in the URL of a redirect are masked', () => {
  expect(masking.url('https://a.example/b?sig=0a1b2c&id=7')).toBe('https://a.example/b?sig=***&id=7')
  expect(masking.header('Location', 'https://a.example/cb?code=abc&state=1')).toBe(
    'https://a.example/cb?code=***&state=1',
  )
})

describe('an email in a URL', () => {
  const EMAIL = /user-[a-z]{8}@example\.invalid/g

  test('is replaced, and the rest of the URL is kept', () => {
    const cases = [
      ['http://localhost:8080/users/a@b.ru?secret=QQ', 'http://localhost:8080/users/E?secret=***'],
      ['https://shop.example/u/ivan@mail.ru/done', 'https://shop.example/u/E/done'],
      ['https://shop.example/u/ivan%40mail.ru/done', 'https://shop.example/u/E/done'],
      ['https://shop.example/u?next=ivan@mail.ru:1', 'https://shop.example/u?next=E:1'],
    ] as const
    for (const [url, expected] of cases) {
      expect(
        masking
          .url(url)
          .replace(EMAIL, 'E')
          .replace(/%3A/, ':')
          .replace(/user-\w+%40example\.invalid/, 'E'),
      ).toBe(expected)
      expect(masked(`see ${url} now`).replace(EMAIL, 'E')).toBe(`see ${expected} now`)
    }
  })

  test('never changes the origin or the number of path segments', () => {
    fc.assert(
      fc.property(letters, fc.webPath(), fc.boolean(), (user, path, isLast) => {
        const url = isLast
          ? `https://a.example:81${path}/${user}@b.example`
          : `https://a.example:81/${user}@b.example${path}`
        const before = new URL(url)
        const after = new URL(masking.url(url))
        expect(after.origin).toBe(before.origin)
        expect(after.pathname.split('/')).toHaveLength(before.pathname.split('/').length)
        expect(after.href).not.toContain(user)
      }),
    )
  })
})

describe('masking personal data', () => {
  test('a header is masked if its name says that it names a person', () => {
    for (const name of ['X-Customer-Name', 'Customer-Name', 'X-User-Email', 'X-Passport', 'X-Birth-Date'])
      expect(masking.header(name, 'Ivan Petrov')).not.toContain('Petrov')
    expect(masking.header('X-Store-Name', 'corner shop')).toBe('corner shop')
  })

  test('a date of birth and the number of a document keep their form', () => {
    const text = masked('{"birth_date":"1987-05-06","inn":"500100732259","passport":"4510 123456","birthday":19870506}')
    expect(JSON.parse(text)).toEqual({
      birth_date: '2000-01-01',
      inn: expect.stringMatching(/^(\d{12}|\*{12})$/),
      passport: expect.stringMatching(/^\d{4} \d{6}$/),
      birthday: '20000101',
    })
    for (const value of ['1987', '500100732259', '4510 123456']) expect(text).not.toContain(value)
  })

  test('a name before an email is masked', () => {
    for (const text of [
      'From: Ivan Petrov <ivan@mail.ru>',
      'by "Ivan Petrov" <ivan@mail.ru>',
      'by ivan petrov <ivan@mail.ru>',
      'ask Ivan Petrov, ivan@mail.ru',
      'Анна Петрова (ivan@mail.ru)',
    ]) {
      const found = masked(JSON.stringify({ hint: text }))
      expect(found).not.toMatch(/petrov|Петров|ivan/i)
      expect(found).toMatch(/@example\.invalid/)
    }
  })

  test('a magnetic stripe is masked together with the number of the card', () => {
    for (const track of [
      ';4111111111111111=251210198765?',
      '4111111111111111D251210198765',
      '%B4111111111111111^IVANOV/IVAN^251210198765?',
    ]) {
      const found = masked(JSON.stringify({ raw: track }))
      expect(found).not.toMatch(/4111111111|2512|98765|IVANOV/)
    }
    expect(masked('{"track2":"4111111111111111=251210198765"}')).toBe('{"track2":"***"}')
  })
})

test('a JSON string of many megabytes is masked', () => {
  const text = masked(JSON.stringify({ a: 'x'.repeat(16_000_000), password: 'hunter2' }))
  expect(text.endsWith('"password":"***"}')).toBe(true)
})
