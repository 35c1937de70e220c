import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import iso4217 from '../../fixtures/iso4217.json' with { type: 'json' }
import { amountUsdt, formatMoney, minorUnits } from '../../src/domain/currency.ts'

describe('minor units', () => {
  test.each([
    ['RUB', 2],
    ['USD', 2],
    ['JPY', 0],
    ['ISK', 0],
    ['VND', 0],
    ['KWD', 3],
    ['CLF', 4],
    ['UYW', 4],
    ['UYI', 0],
    ['XCG', 2],
    ['ZWG', 2],
    ['HUF', 2],
    ['IDR', 2],
  ])('the currency %s has %d fraction digits', (code, digits) => {
    expect(minorUnits(code)).toBe(digits)
  })

  test.each(['rub', 'RUR', 'XAU', 'XDR', 'XTS', 'XXX', 'HRK', 'ANG', 'BGN', 'USDT', '', '__proto__', 'constructor'])(
    'the code %j cannot be used for payments',
    (code) => {
      expect(minorUnits(code)).toBeUndefined()
    },
  )

  test('the table is sorted, and each row has fraction digits or null', () => {
    const codes = Object.keys(iso4217)
    expect(codes).toEqual([...codes].sort())
    for (const [code, digits] of Object.entries(iso4217)) {
      expect(code).toMatch(/^[A-Z]{3}$/)
      expect([0, 2, 3, 4, null]).toContain(digits)
    }
  })
})

describe('formatMoney', () => {
  test.each([
    [150000, 'RUB', '1 500.00 RUB'],
    [1, 'RUB', '0.01 RUB'],
    [0, 'RUB', '0.00 RUB'],
    [99999, 'RUB', '999.99 RUB'],
    [1234567, 'JPY', '1 234 567 JPY'],
    [0, 'JPY', '0 JPY'],
    [1500, 'KWD', '1.500 KWD'],
    [12345678, 'CLF', '1 234.5678 CLF'],
    [-150000, 'RUB', '-1 500.00 RUB'],
    [Number.MAX_SAFE_INTEGER, 'RUB', '90 071 992 547 409.91 RUB'],
  ])('formatMoney of %d and %s is %s', (amount, currency, text) => {
    expect(formatMoney(amount, currency)).toBe(text)
  })
})

describe('amount_usdt', () => {
  test.each([
    [150000, 80, 18.75],
    [39, 80, 0],
    [40, 80, 0.01],
    [100, 92.5, 0.01],
    [820, 80, 0.1],
    [9237, 92.37, 1],
    [Number.MAX_SAFE_INTEGER, 80, 1125899906842.62],
    [12345, 1e-7, 1234500000],
    [1, 1e9, 0],
  ])('%d kopeks at the rate %d are %d USDT', (amount, rate, usdt) => {
    expect(amountUsdt(amount, 'RUB', rate)).toBe(usdt)
  })

  test('amountUsdt is 0 for currencies without a rate', () => {
    expect(amountUsdt(150000, 'USD', 80)).toBe(0)
  })

  test('amountUsdt is 0 for an invalid rate', () => {
    for (const rate of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) expect(amountUsdt(100, 'RUB', rate)).toBe(0)
  })

  test('amountUsdt equals the exact fraction, rounded half up', () => {
    const amounts = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })
    const hundredths = fc.integer({ min: 1, max: 1_000_000 })
    fc.assert(
      fc.property(amounts, hundredths, (amount, cents) => {
        const numerator = BigInt(amount) * 100n
        const twice = (numerator * 2n) / BigInt(cents)
        const rounded = (twice + 1n) / 2n
        expect(amountUsdt(amount, 'RUB', cents / 100)).toBe(Number(rounded) / 100)
      }),
    )
  })
})
