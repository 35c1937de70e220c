// A card number, a phone or a name in a field for something else.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { containsCard } from '../../src/domain/card-masking.ts'
import { exchangeEntry } from '../../src/recordings/exchange-entry.ts'
import { createMasking } from '../../src/recordings/masking.ts'

const KEY = Buffer.alloc(32, 7)
const masking = createMasking({ key: KEY })
const masked = (value: unknown) => masking.json(JSON.stringify(value))

describe('a field for phones', () => {
  const PHONES = ['phone', 'msisdn', 'tel', 'customer_phone', 'mobile']

  test('keeps no digit of a card number after the sixth, and nothing that follows the number', () => {
    for (const name of PHONES)
      for (const value of [
        '4987968192297718=291210130390016',
        '370490007640084',
        '+370490007640084',
        '4111111111111111',
      ]) {
        const rest = value.replace(/\D/g, '').slice(6, 15)
        for (const text of [masked({ [name]: value }), decodeURIComponent(masking.url(`/a?${name}=${value}`))])
          expect(text).not.toContain(rest)
        expect(masked({ [name]: value })).not.toContain('0390016')
      }
  })

  test('keeps at most the three digits of a country code', () => {
    // A number with the area code 000 can be a pseudonym.
    const number = fc.stringMatching(/^[1-9][0-9]{7,40}$/).filter((text) => !/^\d{1,3}000\d{7}$/.test(text))
    fc.assert(
      fc.property(number, fc.constantFrom(...PHONES), (value, name) => {
        const [after] = Object.values(JSON.parse(masked({ [name]: value }))) as [string]
        for (let at = 3; at + 6 <= value.length; at++) expect(after.slice(at, at + 6)).not.toBe(value.slice(at, at + 6))
      }),
    )
  })

  test('gets no pseudonym that has the digits of a card number', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\+375[0-9]{10}$/), (phone) => {
        const once = masked({ phone })
        expect(containsCard(once)).toBe(false)
      }),
    )
  })

  test('keeps a phone that is already a pseudonym', () => {
    for (const value of ['+79161234567', '8 (916) 123-45-67', '+375291234567', '0049 151 12345678']) {
      const once = masked({ phone: value })
      expect(masking.json(once)).toBe(once)
    }
  })

  test('replaces zeros that are not those of a pseudonym', () => {
    for (const value of ['0001234567', '00012345', '90000123456', '1234 000 765 43 21'])
      expect(masked({ phone: value })).not.toContain(value)
  })
})

test('a field for card numbers keeps only digits', () => {
  for (const value of [
    'pegida.nubovu+shop@gmail.com',
    'Zinaida Khvorostukhina',
    'hunter2-hunter2-hunter2',
    'tok_1234567890ab',
  ])
    for (const name of ['card_number', 'pan', 'card_pan'])
      expect(masked({ [name]: value })).not.toContain(value.slice(0, 4))
  expect(masked({ card_number: '4111 1111 1111 1111' })).toMatch(/^\{"card_number":"411111\*{6}\d{4}"\}$/)
})

test('an order number that may be a phone, a date of birth or a document is replaced', () => {
  for (const value of [
    '91234567',
    '9161234',
    '19741209',
    '12091974',
    'AB123456',
    'A1234567',
    'ORD-91234567',
    'ORD-19741209',
  ])
    for (const name of ['order_id', 'reference', 'invoice_number', 'cart'])
      for (const each of [value, ...(/^\d+$/.test(value) ? [Number(value)] : [])])
        expect(masked({ [name]: each })).not.toContain(value)
  for (const value of [
    '1001',
    '#123456',
    'A-1042',
    'AB12345',
    'ORD-2024-000123',
    'order_1764412345',
    'inv-00001042',
    '00001042',
  ])
    expect(masked({ order_id: value })).toBe(`{"order_id":"${value}"}`)
})

test('an event id that may be a name is replaced by another one', () => {
  for (const id of [
    'evt_ZinaidaKhvorostukhina',
    'evt_zinaidakhvorostukhina',
    'evt_zinaidakhvorostukhin',
    'evt_79161234567',
  ])
    expect(masked({ id })).not.toContain(id)
  const once = masked({ id: 'evt_zinaidakhvorostukhinabcd' })
  expect(once).toMatch(/^\{"id":"evt_[a-z]{24}"\}$/)
  expect(masking.json(once)).toBe(once)
  expect(masked({ id: 'evt_0ahimrse7ss0wom3ai5aod8g' })).toBe('{"id":"evt_0ahimrse7ss0wom3ai5aod8g"}')
})

describe('a header', () => {
  const UNKNOWN = ['4111111111111111', 'sk_live_Zk3vQ9xT7LmN2bR8wYcD', 'khvorostukhina', '79161234567', 'Hunter2']

  test('does not keep an unknown word as the type of a body', async () => {
    for (const word of UNKNOWN)
      for (const type of [`application/vnd.${word}+json`, `application/${word}`, `text/${word}; charset=utf-8`]) {
        const headers = [['Content-Type', type] as const]
        const body = { bytes: Buffer.from('{}'), length: 2 }
        const entry = await exchangeEntry(
          {
            startedAt: 0,
            ms: 1,
            method: 'POST',
            url: 'https://api.example/payments',
            request: { headers, body },
            response: { status: 200, statusText: 'OK', headers, body },
          },
          masking,
        )
        expect(JSON.stringify(entry)).not.toContain(word)
        expect(entry.response.content.mimeType).toContain(type.slice(0, 5))
      }
  })

  test('keeps the type of a body if its words are known', () => {
    for (const type of [
      ...[
        'application/json',
        'application/problem+json; charset=utf-8',
        'application/vnd.api+json',
        'text/event-stream',
      ],
      ...['application/x-www-form-urlencoded', 'application/x-ndjson', 'multipart/form-data', 'image/svg+xml'],
      ...[
        'application/octet-stream',
        'text/html; charset=UTF-8',
        'application/vnd.payments.v2+json',
        'application/pdf',
      ],
    ])
      expect(masking.header('Content-Type', type)).toBe(type)
  })

  test('does not contain a card number or a key in its name', async () => {
    for (const word of ['4111111111111111', 'sk_live_Zk3vQ9xT7LmN2bR8wYcD']) {
      const body = { bytes: Buffer.alloc(0), length: 0 }
      const entry = await exchangeEntry(
        {
          startedAt: 0,
          ms: 1,
          method: 'GET',
          url: 'https://api.example/payments',
          request: { headers: [[`X-${word}`, '1']], body },
        },
        masking,
      )
      expect(JSON.stringify(entry)).not.toContain(word)
    }
  })

  test('does not keep a number of a person in a list of words', () => {
    for (const value of ['4509123456', '123-456-789 95', '203.0.113.77', '4509 123456', '19741209'])
      for (const name of ['Accept', 'Server', 'Vary', 'Allow', 'Accept-Encoding', 'TE', 'Pragma', 'Connection'])
        expect(masking.header(name, value)).toBe('***')
  })

  test('does not keep an unknown scheme of a challenge', () => {
    expect(masking.header('WWW-Authenticate', 'Khvorostukhina')).toBe('***')
    expect(masking.header('WWW-Authenticate', 'Bearer realm="api"')).toBe('Bearer realm="api"')
    expect(masking.header('WWW-Authenticate', 'Basic')).toBe('Basic')
  })
})
