import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_ORDINALS, OrdinalIndex } from '../../../src/store/memory/ordinal-index.ts'

/** A few hashes, including the lowest and highest, so that places collide and wrap around. */
const hash = fc.constantFrom(0, 1, 2 ** 28, 2 ** 31, 2 ** 32 - 2, 2 ** 32 - 1)
const step = fc.record({ add: fc.boolean(), hash, ordinal: fc.integer({ min: 0, max: 40 }) })

test('an index contains the ordinals that were added and not removed, even if hashes collide', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200, size: 'max' }), (steps) => {
      const index = new OrdinalIndex()
      const expected = new Map<number, Set<number>>()
      for (const { add, hash, ordinal } of steps) {
        const ordinals = expected.get(hash) ?? new Set()
        expected.set(hash, ordinals)
        if (add && !ordinals.has(ordinal)) index.add(hash, ordinal)
        if (!add) index.remove(hash, ordinal)
        if (add) ordinals.add(ordinal)
        else ordinals.delete(ordinal)
      }
      for (const [hash, ordinals] of expected) {
        expect(found(index, hash)).toEqual([...ordinals].sort((a, b) => a - b))
      }
      expect(index.size).toBe([...expected.values()].reduce((sum, { size }) => sum + size, 0))
    }),
  )
})

test('an index of many thousands of ordinals finds those that it contains and no others', () => {
  const index = new OrdinalIndex()
  for (let n = 0; n < 50_000; n++) index.add(spread(n), n)
  for (let n = 0; n < 50_000; n += 2) index.remove(spread(n), n)
  const wrong = Array.from({ length: 50_000 }, (_, n) => n).filter(
    (n) => String(found(index, spread(n))) !== (n % 2 === 0 ? '' : String(n)),
  )
  expect(wrong).toEqual([])
  expect(index.size).toBe(25_000)
})

test('an index can contain thousands of ordinals with the same hash', () => {
  const index = new OrdinalIndex()
  for (let n = 0; n < 4000; n++) index.add(spread(n), n)
  for (let n = 4000; n < 13_000; n++) index.add(spread(7), n)
  expect(found(index, spread(7))).toHaveLength(9001)
  for (let n = 0; n < 4000; n++) index.remove(spread(n), n)
  expect(index.size).toBe(9000)
  expect(found(index, spread(8))).toEqual([])
})

test('adding an ordinal above the maximum fails', () => {
  const index = new OrdinalIndex()
  index.add(7, MAX_ORDINALS - 1)
  expect(found(index, 7)).toEqual([MAX_ORDINALS - 1])
  expect(() => index.add(7, MAX_ORDINALS)).toThrow(RangeError)
})

function spread(n: number): number {
  return Math.imul(n, 0x9e3779b1) >>> 0
}

function found(index: OrdinalIndex, hash: number): number[] {
  const ordinals: number[] = []
  for (let place = index.seek(hash); place >= 0; place = index.seek(hash, place))
    ordinals.push(index.ordinal(hash, place))
  return ordinals.sort((a, b) => a - b)
}
