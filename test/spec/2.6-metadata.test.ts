// Spec 2.6: metadata is returned unchanged, except the reserved keys of the service.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { metadataWarnings, RESERVED_KEYS, withReserved } from '../../src/domain/metadata.ts'

describe('reserved keys', () => {
  test('the table of reserved keys has the eight keys of the section', () => {
    expect(Object.keys(RESERVED_KEYS)).toEqual([
      'mode',
      'webhook_url',
      'customer_id',
      'bank_ref',
      'failure_code',
      'bank_failure_code',
      'simulator_outcome',
      'simulator_failure_code',
    ])
  })

  test("a value of the service replaces the merchant's, and other values are kept", () => {
    expect(withReserved({ mode: 'mine', bank_ref: 'mine', cart: '7' }, { mode: 'test', bank_ref: undefined })).toEqual({
      mode: 'test',
      bank_ref: 'mine',
      cart: '7',
    })
  })

  test("the merchant's object is not changed", () => {
    const caller = Object.freeze({ mode: 'mine' })
    withReserved(caller, { mode: 'test' })
    expect(caller).toEqual({ mode: 'mine' })
  })
})

describe('names that mean something to JavaScript', () => {
  test('names such as __proto__ and constructor are ordinary keys', () => {
    const text = '{"__proto__":"a","constructor":"b","toString":"c","hasOwnProperty":"d"}'
    const kept = withReserved(JSON.parse(text), { mode: 'test' })
    expect(JSON.stringify(kept)).toBe(`${text.slice(0, -1)},"mode":"test"}`)
    expect(Object.hasOwn(kept, '__proto__')).toBe(true)
    expect(Object.getPrototypeOf(kept)).toBe(Object.prototype)
  })

  test('all pairs are returned unchanged', () => {
    const pairs = fc.dictionary(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }))
    fc.assert(
      fc.property(pairs, (caller) => {
        const kept = withReserved(caller, { mode: 'live' })
        for (const [key, value] of Object.entries(caller)) if (key !== 'mode') expect(kept[key]).toBe(value)
        expect(kept['mode']).toBe('live')
      }),
    )
  })
})

describe('recommended size', () => {
  const pairs = (count: number, value = 'x') =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, value]))

  test('metadata of 20 pairs with 500 characters has no warning', () => {
    expect(metadataWarnings(pairs(20, 'я'.repeat(500)))).toEqual([])
    expect(metadataWarnings(pairs(1, '💥'.repeat(500)))).toEqual([])
  })

  test('one more pair or character causes a warning', () => {
    expect(metadataWarnings(pairs(21))).toEqual([expect.stringContaining('21 pairs')])
    expect(metadataWarnings(pairs(1, 'я'.repeat(501)))).toEqual([expect.stringContaining('"k0"')])
    expect(metadataWarnings(pairs(1, '💥'.repeat(501)))).toHaveLength(1)
  })

  test('many long values cause one warning of limited length', () => {
    const [, line = ''] = metadataWarnings(pairs(1000, 'x'.repeat(501)))
    expect(line).toContain('and 995 more')
    expect(line.length).toBeLessThan(300)
  })
})
