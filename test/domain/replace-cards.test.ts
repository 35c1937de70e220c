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

  test('containsCard reads a long text in linear time', () => {
    for (const part of ['1', '1 ', '4111 ', '4 ', '4111111111111112 ', '1/'])
      expect(containsCard(part.repeat(2 ** 19 / part.length))).toBeTypeOf('boolean')
  })
})
