// The card form, one below and one above each limit.
import { describe, expect, test } from 'vitest'
import type { SandboxTime } from '../../../src/domain/time.ts'
import { readCard } from '../../../src/http/pages/card-form.ts'

const NOW = Date.UTC(2026, 4, 6) as SandboxTime
const VISA = '4242 4242 4242 4242'
const AMEX = '3782 822463 10005'

function read(fields: Record<string, string>, now: number = NOW, magic = false) {
  const form = new URLSearchParams({ number: VISA, expiry: '09/30', cvc: '123', holder: 'Anna', ...fields })
  return readCard(form, now as SandboxTime, magic)
}

const wrong = (fields: Record<string, string>, now?: number) => {
  const result = read(fields, now)
  return 'errors' in result ? result.errors.fields : []
}

test('the card has only its brand, its mask and its holder in capitals', () => {
  expect(read({ holder: ' Anna ' })).toEqual({ card: { brand: 'Visa', mask: '424242******4242', holder: 'ANNA' } })
  expect(read({ holder: ' ' })).toEqual({ card: { brand: 'Visa', mask: '424242******4242' } })
})

test('an error shows the date and the holder again, but never the number or the security code', () => {
  expect(read({ number: '', cvc: '' })).toEqual({
    errors: { fields: ['number', 'cvc'], digits: 3, no_number: true, expiry: '09/30', holder: 'Anna' },
  })
  expect(read({ number: AMEX, expiry: VISA, cvc: '123', holder: '4242 4242' })).toEqual({
    errors: { fields: ['expiry', 'cvc', 'holder'], digits: 4, no_number: false, expiry: '', holder: '' },
  })
})

test('a missing field counts as empty', () => {
  expect(readCard(new URLSearchParams(), NOW, false)).toEqual({
    errors: { fields: ['number', 'expiry', 'cvc'], digits: 3, no_number: true, expiry: '', holder: '' },
  })
})

test.each([
  [VISA, '12', false],
  [VISA, '123', true],
  [VISA, ' 123 ', true],
  [VISA, '1234', false],
  [VISA, '12a', false],
  [AMEX, '123', false],
  [AMEX, '1234', true],
  [AMEX, '12345', false],
])('the security code of %s may be %j: %s', (number, cvc, isValid) => {
  expect(wrong({ number, cvc })).toEqual(isValid ? [] : ['cvc'])
})

test('a holder has up to 64 letters and marks of names', () => {
  for (const holder of ['a'.repeat(64), "D'Arc-Ёлкин Jr.", 'O’Neil']) expect(wrong({ holder })).toEqual([])
  for (const holder of ['a'.repeat(65), 'Anna 2', 'a@b', '<b>']) expect(wrong({ holder })).toEqual(['holder'])
})

describe('the date of a card', () => {
  test.each(['9/30', '09/30', '09 / 2030', '0930', '092030', '09.30', '2030-09', '2030-09-01', '203009', '30/09'])(
    'may be written as %s',
    (expiry) => {
      const last = Date.UTC(2030, 9, 1)
      expect(wrong({ expiry }, last - 1)).toEqual([])
      expect(wrong({ expiry }, last)).toEqual(['expiry'])
    },
  )

  test.each([
    '',
    '0',
    '00/30',
    '13/31',
    '9',
    '093',
    '09/203',
    '09/3030',
    '1930-09',
    '203013',
    '09/30x',
    'x09/30',
    '09-30-2',
  ])('must not be written as %j', (expiry) => {
    expect(wrong({ expiry }, 0)).toEqual(['expiry'])
  })

  test('may be in December', () => {
    expect(wrong({ expiry: '12/26' }, Date.UTC(2027, 0, 1) - 1)).toEqual([])
    expect(wrong({ expiry: '12/26' }, Date.UTC(2027, 0, 1))).toEqual(['expiry'])
  })
})

describe('a test card', () => {
  test('has a plan only if magic values apply', () => {
    const declined = { number: '4000 0000 0000 0002' }
    expect(read(declined, NOW, false)).toEqual({ card: { brand: 'Visa', mask: '400000******0002', holder: 'ANNA' } })
    expect(read(declined, NOW, true)).toEqual({
      card: {
        brand: 'Visa',
        mask: '400000******0002',
        holder: 'ANNA',
        plan: expect.objectContaining({ outcome: 'failed' }),
      },
    })
  })

  test('with 3-D Secure has a plan for each choice, and no other one', () => {
    expect(read({ number: '4000 0000 0000 3220' }, NOW, true)).toEqual({
      card: { brand: 'Visa', mask: '400000******3220', holder: 'ANNA' },
      threeDs: {
        confirmed: expect.objectContaining({ outcome: 'succeeded' }),
        declined: expect.objectContaining({ outcome: 'failed' }),
      },
    })
  })
})
