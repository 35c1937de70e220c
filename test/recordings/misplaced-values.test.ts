// A card number, a phone or a name in a field for something else.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { containsCard } from '../../src/domain/card-masking.ts'
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
