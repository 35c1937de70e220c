// Masking finds names, phones and card numbers in any text, and a name that is known in all texts of a recording.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { luhn } from '../../src/domain/card-masking.ts'
import { createMasking } from '../../src/recordings/masking.ts'

const KEY = Buffer.alloc(32, 7)
const masking = createMasking({ key: KEY })
const masked = (text: string, type = '') => masking.body(Buffer.from(text), type)?.toString() ?? ''
const digits = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: length, maxLength: length })

/** Texts around a value without a field. */
const PROSE = fc.constantFrom<(value: string) => string>(
  (value) => value,
  (value) => `It failed for ${value} today.`,
  (value) => `(${value})`,
  (value) => `"${value}", see the log`,
  (value) => `Первая попытка: ${value}.`,
  (value) => `a,${value};b`,
)
const PLACES = fc.constantFrom<(text: string) => string>(
  (text) => JSON.stringify({ message: text }),
  (text) => JSON.stringify({ a: [{ title: text }] }, null, 2),
  (text) => `data: ${JSON.stringify({ hint: text })}\n\n`,
  (text) => `<p>${text}</p>`,
  (text) => text,
  (text) => `2026-11-29 12:00:00 error ${text}\nnext line\n`,
)
const plain = (text: string) => text.replace(/[^\p{L}\d*+]/gu, '')

describe('a phone in a text', () => {
  const FORMS = fc.constantFrom<(d: string) => string>(
    (d) => `+79${d}`,
    (d) => `+7 9${d.slice(0, 2)} ${d.slice(2, 5)}-${d.slice(5, 7)}-${d.slice(7)}`,
    (d) => `8 (9${d.slice(0, 2)}) ${d.slice(2, 5)} ${d.slice(5, 7)} ${d.slice(7)}`,
    (d) => `8-4${d.slice(0, 2)}-${d.slice(2, 5)}-${d.slice(5, 7)}-${d.slice(7)}`,
    (d) => `+7\u00a09${d.slice(0, 2)}\u00a0${d.slice(2, 5)}\u2011${d.slice(5, 7)}\u2011${d.slice(7)}`,
    (d) => `9${d.slice(0, 2)} ${d.slice(2, 5)}-${d.slice(5, 7)}-${d.slice(7)}`,
    (d) => `(49${d.slice(0, 1)}) ${d.slice(1, 4)}-${d.slice(4, 6)}-${d.slice(6, 8)}`,
    (d) => `415-${d.slice(0, 3)}-${d.slice(3, 7)}`,
    (d) => `(415) ${d.slice(0, 3)}-${d.slice(3, 7)}`,
    (d) => `+1.415.${d.slice(0, 3)}.${d.slice(3, 7)}`,
    (d) => `0049 30 1${d.slice(0, 7)}`,
    (d) => `+44 (0) 20 ${d.slice(0, 4)} ${d.slice(4, 8)}`,
    (d) => `tel. 1${d.slice(0, 6)}`,
    (d) => `phone number 9${d}`,
    (d) => `тел: 1${d.slice(0, 2)}-${d.slice(2, 4)}-${d.slice(4, 6)}`,
    (d) => `телефон 9${d}`,
  )

  test('is replaced in every form, with or without a country code', () => {
    fc.assert(
      fc.property(FORMS, digits(9), PROSE, PLACES, (form, number, prose, place) => {
        const phone = form(number)
        fc.pre(!/000/.test(phone))
        const found = masked(place(prose(phone)))
        expect(plain(found)).not.toContain(plain(phone).replace(/^\D+/, ''))
      }),
      { numRuns: 1000 },
    )
  })

  test('is replaced in every form if a field contained it', () => {
    const session = createMasking({ key: KEY })
    session.json('{"phone":"2345678"}')
    expect(session.text('reached at 23-456-78 and 2345678 only')).not.toMatch(/23-456-78|2345678/)
    expect(session.text('order 12345678 and 2345679')).toBe('order 12345678 and 2345679')
  })
})

test('a card number in a text is replaced with any separators', () => {
  const pan = fc
    .tuple(fc.constantFrom('4', '51', '2200', '62'), digits(15))
    .map(([start, rest]) => (start + rest).slice(0, 15))
    .map((start) => start + [...'0123456789'].find((digit) => luhn(start + digit)))
  const separator = fc.constantFrom('', ' ', '-', '.', '\u00a0', '\u2011', '\u2013', ' - ', '_')
  fc.assert(
    fc.property(pan, separator, PROSE, PLACES, (number, between, prose, place) => {
      const found = masked(place(prose(number.replace(/(.{4})(?=.)/g, `$1${between}`))))
      expect(plain(found)).not.toContain(number)
    }),
    { numRuns: 1000 },
  )
})

test('dates, versions, addresses and numbers with separators are not taken for phones or cards', () => {
  for (const text of [
    '2026-11-29 12:00:00 and 2026-11-29T12:00:00.000-0300',
    '127.0.0.1:7770 and 192.168.100.200',
    '10.0.26200.1234 and 1.2.3',
    '1 234 567.89 RUB, 12 345 678',
    'order 2026-000123-45, entry 12345678901',
    '0b5d3f2a-9c1e-4c57-9a53-0c1d2e3f4a5b',
    'bytes 1000-2000/3000',
  ])
    expect(masked(JSON.stringify({ hint: text }))).toBe(JSON.stringify({ hint: text }))
})

describe('a name in a text', () => {
  test('is replaced if the text says that it is a name', () => {
    for (const text of [
      'customer: Ivan Petrov',
      'Payer Name = "Ivan Petrov"',
      'the customer Ivan Petrov asked for it',
      'Mr. Petrov asked for it',
      'Dear Ivan Petrov, hello',
      'Уважаемый Иван Петров!',
      'клиент Иван Петров не оплатил',
      'Петров Иван Сергеевич не оплатил',
      'Иван Сергеевич не оплатил',
      'Петров И. С. не оплатил',
      'И.С. Петров не оплатил',
      'г-н Петров не оплатил',
    ]) {
      const found = masked(JSON.stringify({ message: text }))
      expect(found).not.toMatch(/Petrov|Ivan|Петров|Иван|Сергеевич/)
      expect(found).toMatch(/Person /)
    }
  })

  test('is not seen in other texts with capitals', () => {
    for (const text of [
      'The Payment was refused by Local Bank',
      'Content Type: Event Stream',
      'Dear customer',
      'customer: not found',
      'The customer is not known',
      'name: must be shorter',
    ])
      expect(masked(JSON.stringify({ message: text }))).toBe(JSON.stringify({ message: text }))
  })

  const NAMES = fc.constantFrom('Ivan Petrov', 'Анна Иванова', 'Zoë Müller', "Mary O'Brien", 'IVAN PETROV')
  const FIELDS = fc.constantFrom<(name: string) => string>(
    (name) => JSON.stringify({ data: { customer: { name } } }),
    (name) => JSON.stringify({ billing_full_name: name }),
    (name) => JSON.stringify({ billing_details: { name, phone: '+79161234567' } }),
    (name) => JSON.stringify({ a: { name, email: 'a@b.example' } }),
    (name) => JSON.stringify({ recipient_name: name }),
    (name) => JSON.stringify({ cardHolderName: name }),
    (name) => JSON.stringify({ fields: [{ name: 'full_name', value: name }] }),
    (name) => `<cardholder>${name}</cardholder>`,
    (name) => `full_name=${encodeURIComponent(name)}`,
  )
  const USES = fc.constantFrom<(name: string) => string>(
    (name) => JSON.stringify({ message: `paid by ${name} today` }),
    (name) => JSON.stringify({ label: name }),
    (name) => JSON.stringify({ [`for ${name}`]: 1 }),
    (name) => JSON.stringify({ message: `for ${name.split(' ').reverse().join(', ')}` }),
    (name) => JSON.stringify({ message: `for ${name.toLowerCase()} and others` }),
    (name) => JSON.stringify({ file: `${name.replace(' ', '_')}.pdf` }),
    (name) => JSON.stringify({ message: `${name.split(' ')[1]} did not pay` }),
    (name) => `<p>Hello ${name}</p>`,
    (name) => `data: {"text":"${name}"}\n\n`,
    (name) => `{"text":"hello ${name} and`,
  )

  test('is replaced in every text of a recording if a field contained it', () => {
    fc.assert(
      fc.property(NAMES, FIELDS, USES, (name, field, use) => {
        const session = createMasking({ key: KEY })
        const body = (text: string) => session.body(Buffer.from(text))?.toString() ?? ''
        const first = body(field(name))
        const later = body(use(name))
        for (const part of name.split(' ')) expect(`${first}${later}`.toLowerCase()).not.toContain(part.toLowerCase())
        const pseudonym = /person [a-z]{7}/i.exec(first.replace(/%20|\+/g, ' '))?.[0].toLowerCase()
        expect(pseudonym).toBeDefined()
        expect(later.toLowerCase()).toContain(pseudonym)
      }),
      { numRuns: 1000 },
    )
  })

  test('is replaced in a document that contains the text before the field', () => {
    const found = masked('{"message":"paid by Anna Ivanova","customer":{"name":"Anna Ivanova"}}')
    expect(found).toMatch(/^\{"message":"paid by (Person [A-Z][a-z]+)","customer":\{"name":"\1"\}\}$/)
  })

  test('is replaced in the path and the query of a URL, and in a header', () => {
    const session = createMasking({ key: KEY })
    session.json('{"full_name":"Анна Иванова"}')
    const name = encodeURIComponent('Анна Иванова')
    for (const text of [
      session.url(`https://a.example/people/${name}/x?q=${name}`),
      session.header('Location', `/people/${name}`),
      session.header('X-Note', 'for Анна Иванова'),
    ])
      expect(decodeURIComponent(text)).not.toMatch(/Анна|Иванова/)
    expect(session.url('https://a.example/a%2Fb/c?d=e%20f')).toBe('https://a.example/a%2Fb/c?d=e%20f')
  })

  test('does not change words and codes that only look like it', () => {
    const session = createMasking({ key: KEY })
    session.json('{"full_name":"Test User","first_name":"May","holder":"RUB","customer":{"name":"Local Shop"}}')
    for (const text of [
      '{"message":"The test user may pay","currency":"RUB","id":"May","mode":"test"}',
      '{"order_id":"order-may-1","url":"https://shop.example/may"}',
    ])
      expect(session.json(text)).toBe(text)
  })
})
