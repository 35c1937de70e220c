import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cardBrand, cardDigits, cardMask, isCardNumber } from '../../src/domain/card-masking.ts'

test.each([
  ['2200000000010003', '220000******0003'],
  ['2200 0000 0001 0003', '220000******0003'],
  ['4111-1111-1111-1111', '411111******1111'],
  ['378282246310005', '378282*****0005'],
  ['6011000990139424123', '601100*********4123'],
  ['12345678901', '***********'],
  ['', ''],
])('cardMask shows the card %s as %s', (number, mask) => {
  expect(cardMask(number)).toBe(mask)
})

test('cardMask shows at most ten digits', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9]{12,19}$/), (number) => {
      expect(cardMask(number).replaceAll('*', '')).toHaveLength(10)
      expect(cardMask(number)).toHaveLength(number.length)
    }),
  )
})

test.each([
  ['2199000000000000', undefined],
  ['2200000000010003', 'MIR'],
  ['2204999999999999', 'MIR'],
  ['2205000000000000', undefined],
  ['2221000000000009', 'Mastercard'],
  ['2720999999999999', 'Mastercard'],
  ['2721000000000000', undefined],
  ['5555555555554444', 'Mastercard'],
  ['4242 4242 4242 4242', 'Visa'],
  ['378282246310005', 'American Express'],
  ['3530111333300000', 'JCB'],
  ['6200000000000005', 'UnionPay'],
  ['6011111111111117', 'Discover'],
  ['30569309025904', 'Diners Club'],
  ['22', undefined],
  ['', undefined],
])('cardBrand of the card %s is %s', (number, brand) => {
  expect(cardBrand(number)).toBe(brand)
})

test.each([
  ['MIR', ['2200', '2204'], ['2199', '2205', '22', '220']],
  ['Mastercard', ['51', '55', '2221', '2720'], ['2220', '2721', '5', '222']],
  ['Visa', ['4', '40', '49'], ['3', '5']],
  ['American Express', ['34', '37'], ['33', '35', '3']],
  ['JCB', ['3528', '3589'], ['3527', '3590', '352']],
  ['Diners Club', ['300', '305', '36', '38', '39'], ['299', '306', '30', '31']],
  ['Discover', ['6011', '644', '659', '65'.padEnd(3, '0')], ['6010', '6012', '643', '660', '64', '601']],
  ['UnionPay', ['62'], ['61', '6']],
  ['Maestro', ['50', '56', '58', '63', '67'], ['59', '66', '68', '6']],
])('cardBrand is %s for %j, and not for %j', (brand, inside, outside) => {
  expect(inside.map((digits) => cardBrand(digits))).toEqual(inside.map(() => brand))
  expect(outside.filter((digits) => cardBrand(digits) === brand)).toEqual([])
})

test.each([
  [11, false],
  [12, true],
  [19, true],
  [20, false],
])('isCardNumber of %i digits with a valid check digit is %s', (length, isNumber) => {
  expect(isCardNumber('0'.repeat(length))).toBe(isNumber)
})

describe('the check digit', () => {
  test.each(['4242424242424242', '4242 4242 4242 4242', '378282246310005', '2200000000010003'])(
    'isCardNumber accepts the number %s',
    (number) => {
      expect(isCardNumber(number)).toBe(true)
    },
  )

  test.each(['4242424242424241', '', '0', '00000000000', '4242424242424242a', '４２４２４２４２４２４２４２４２'])(
    'isCardNumber rejects the text %j',
    (number) => {
      expect(isCardNumber(number)).toBe(false)
    },
  )

  test('isCardNumber rejects any single wrong digit', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9]{16}$/), fc.nat(15), fc.integer({ min: 1, max: 9 }), (number, at, by) => {
        const changed = `${number.slice(0, at)}${(Number(number[at]) + by) % 10}${number.slice(at + 1)}`
        expect(isCardNumber(number) && isCardNumber(changed)).toBe(false)
      }),
    )
  })
})

test('isCardNumber ignores spaces and hyphens', () => {
  expect(cardDigits(' 4242-4242 ')).toBe('42424242')
})
