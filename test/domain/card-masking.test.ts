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
