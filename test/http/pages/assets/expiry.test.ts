import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EXPIRY_FORMATS, NO_BEGINNING, NO_EXPIRY } from '../expiry-formats.ts'

const { expiryText, isExpiry } = await import(
  new URL('../../../../src/http/pages/assets/expiry.js', import.meta.url).href
)

const NOW = Date.parse('2026-05-06T12:00:00.000Z')

/** Types the keys one by one, each into the result of the one before. */
const typed = (keys: string) => [...keys].reduce<string>((text, key) => expiryText(text + key, 'insertText'), '')

describe('the date on a card', () => {
  test.each([
    ['1230', '12/30'],
    ['12/30', '12/30'],
    ['1/30', '01/30'],
    ['0130', '01/30'],
    ['130', '01/30'],
    ['530', '05/30'],
    ['5/30', '05/30'],
    ['12/2030', '12/2030'],
    ['122030', '12/2030'],
    ['5/2030', '05/2030'],
    ['12.30', '12/30'],
    ['12 30', '12/30'],
    ['12304', '12/30'],
    ['1220304', '12/2030'],
  ])('the typed text %s becomes %s', (keys, text) => {
    expect(typed(keys)).toBe(text)
    expect(isExpiry(text, NOW)).toBe(true)
  })

  test.each([
    ['13/', '13/'],
    ['13/30', '13/30'],
    ['19.2030', '19/2030'],
  ])('the typed text %s with a wrong month becomes %s, which is not a date', (keys, text) => {
    expect(typed(keys)).toBe(text)
    expect(isExpiry(text, NOW)).toBe(false)
  })

  test.each([
    ['1/30', '01/30'],
    ['5/2030', '05/2030'],
    ['05 / 2030', '05/2030'],
    ['12/2030', '12/2030'],
    ['12-30', '12/30'],
    ['0530', '05/30'],
    ['052030', '05/2030'],
    [' 5/30 ', '05/30'],
  ])('the pasted text %j becomes %s', (pasted, text) => {
    expect(expiryText(pasted, 'insertFromPaste')).toBe(text)
  })

  test.each(EXPIRY_FORMATS)('the text %j that the browser fills in becomes %s', (filled, text) => {
    for (const type of ['insertReplacementText', 'insertFromPaste', undefined]) {
      expect(expiryText(filled, type)).toBe(text)
    }
    expect(expiryText(text, 'insertText')).toBe(text)
    expect(isExpiry(filled, NOW)).toBe(true)
    expect(isExpiry(text, NOW)).toBe(true)
  })

  test.each(NO_BEGINNING)('the text %j, which cannot become a date, is unchanged', (text) => {
    for (const type of ['insertText', 'insertReplacementText', 'insertFromPaste', 'deleteContentBackward', undefined]) {
      expect(expiryText(text, type)).toBe(text)
    }
    expect(isExpiry(text, NOW)).toBe(false)
  })

  test('a slash after a complete date is removed if it is typed and kept if it is pasted', () => {
    expect(expiryText('12/34/', 'insertText')).toBe('12/34')
    for (const type of ['insertReplacementText', 'insertFromPaste', undefined]) {
      expect(expiryText('12/34/', type)).toBe('12/34/')
    }
  })

  test('a text that is formatted as a complete date is a date', () => {
    const texts = fc.string({ unit: fc.constantFrom(...'0123456789/-. a'), maxLength: 10 })
    const year2000 = Date.UTC(2000, 0, 1)
    fc.assert(
      fc.property(texts, (text) => {
        const shown = expiryText(text, 'insertFromPaste')
        expect([text, isExpiry(text, year2000)]).toEqual([text, isExpiry(shown, year2000)])
      }),
      { numRuns: 3000, seed: 1 },
    )
  })

  test('deleted characters are not added again', () => {
    const left: string[] = []
    for (let text = '05/30'; text !== ''; ) {
      text = expiryText(text.slice(0, -1), 'deleteContentBackward')
      left.push(text)
    }
    expect(left).toEqual(['05/3', '05', '0', ''])
    expect(expiryText('5/30', 'deleteContentForward')).toBe('5/30')
  })

  test.each([
    ['05/26', true],
    ['5/2026', true],
    ['04/26', false],
    ['1220', false],
    ['01/26', false],
  ])('the validity of %s in May 2026 is %s', (text, valid) => {
    expect(isExpiry(text, NOW)).toBe(valid)
  })

  test.each(NO_EXPIRY)('the text %j is not a date', (text) => {
    expect(isExpiry(text, NOW)).toBe(false)
  })
})
