import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { containsCard, replaceCards } from '../../src/domain/card-masking.ts'

const replaced = (text: string) => replaceCards(text, (number) => `<${number}>`)

describe('card numbers in a text', () => {
  test.each([
    ['4111111111111111 12/29 123', '<4111111111111111> 12/29 123'],
    ['4111 1111 1111 1111 12/29 123', '<4111111111111111> 12/29 123'],
    ['order 7 4111111111111111', 'order 7 <4111111111111111>'],
    ['order 7 4111 1111 1111 1111', 'order 7 <4111111111111111>'],
    ['2026-11-28 4111111111111111', '2026-11-28 <4111111111111111>'],
    ['2026-11-28 4111-1111-1111-1111', '2026-11-28 <4111111111111111>'],
    ['id:12 4111111111111111', 'id:12 <4111111111111111>'],
    ['5555555555554444 7', '<5555555555554444> 7'],
    ['4111111111111111 5555555555554444', '<4111111111111111> <5555555555554444>'],
    ['1.4111.1111.1111.1111', '1.<4111111111111111>'],
    ['1/2/4111111111111111/3', '1/2/<4111111111111111>/3'],
    ['3782 822463 10005 12/29', '<378282246310005> 12/29'],
    [
      '4ddd8211-1234-4444-8888-111122223333 4111111111111111',
      '4ddd8211-1234-4444-8888-111122223333 <4111111111111111>',
    ],
    ['９ ４１１１ １１１１ １１１１ １１１１', '９ <4111111111111111>'],
    ['٤١١١١١١١١١١١١١١١', '<4111111111111111>'],
  ])('replaceCards changes %j to %j', (text, expected) => {
    expect(replaced(text)).toBe(expected)
  })

  test.each([' ', '\t', '  ', '.', '_', '/', '-', '–', ' - ', '\u2009', '\u202f', '\u200b', '\u00a0'])(
    'replaceCards finds groups that are separated by %j',
    (gap) => {
      const card = ['4111', '1111', '1111', '1111'].join(gap)
      expect(replaced(`${card} 12/29`)).toBe('<4111111111111111> 12/29')
    },
  )

  test.each([
    '2026-11-29 12:00:45.123456 2026-11-29 12:00:45.123457',
    '20261129120000 1764412345678',
    '4ddd8211-1234-4444-8888-111122223333',
    '0.4111111111111111',
    '12 / 29 / 2026 10 20 30',
    '4111111111111112 12/29 123',
  ])('replaceCards leaves %j as it is', (text) => {
    expect(replaced(text)).toBe(text)
  })

  test('replaceCards finds a card number between any other numbers', () => {
    const number = fc.stringMatching(/^\d{1,12}$/)
    const gap = fc.constantFrom(' ', ', ', '-', '/', '  ', ': ')
    const card = fc.constantFrom('4111111111111111', '5555555555554444', '378282246310005', '2200000000000004')
    fc.assert(
      fc.property(fc.array(fc.tuple(number, gap)), card, fc.array(fc.tuple(gap, number)), (before, pan, after) => {
        const text = [...before.flat(), pan, ...after.flat()].join('')
        expect(replaceCards(text, () => '*')).not.toContain(pan)
      }),
    )
  })

  test('replaceCards finds a card number whose groups are separated by any space, dash, comma or line break', () => {
    const spaces = '\t \u00a0\u00ad\u2000\u2009\u200d\u202f\u2060\u3000\ufeff'
    const dashes = '\u2010\u2013\u2015\u2212\uff0d-'
    for (const gap of [...spaces, ...dashes, '.', '_', '/', '   ', ' - ', '\n', '+', ','])
      expect(
        replaceCards(`4111${gap}1111${gap}1111${gap}1111`, () => '*'),
        JSON.stringify(gap),
      ).toBe('*')
    for (const gap of ['    ', ' -- ', 'x', ':'])
      expect(containsCard(`4111${gap}1111${gap}1111${gap}1111`), JSON.stringify(gap)).toBe(false)
  })

  test('replaceCards finds a number of 13 to 19 digits, and below 16 only of a known brand', () => {
    const withCheckDigit = (head: string, length: number) => {
      const digits = head.padEnd(length - 1, '0')
      const number = [...'0123456789'].map((digit) => digits + digit).find((each) => luhn(each))
      return number ?? ''
    }
    const found = (head: string, length: number) => containsCard(withCheckDigit(head, length))
    expect([12, 13, 19, 20].map((length) => found('4', length))).toEqual([false, true, true, false])
    expect([13, 15, 16].map((length) => found('9', length))).toEqual([false, false, true])
  })

  test('containsCard reads a long text in linear time', () => {
    for (const part of ['1', '1 ', '4111 ', '4 ', '4111111111111112 ', '1/'])
      expect(containsCard(part.repeat(2 ** 19 / part.length))).toBeTypeOf('boolean')
  })
})

function luhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 1 : 2)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}
