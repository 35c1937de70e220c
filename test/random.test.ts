import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { randomnessOf, seededRandomness, systemRandomness } from '../src/random.ts'

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('each seed and purpose has a separate sequence, and system randomness has none', () => {
  const take = (...args: Parameters<typeof randomnessOf>) => randomnessOf(...args).token(24)
  expect(take('7')).toBe(seededRandomness(7).token(24))
  expect(take('7', ' ids')).toBe(seededRandomness('7 ids').token(24))
  expect(take('7', ' ids')).not.toBe(take('7', ' keys'))
  expect(take(undefined)).not.toBe(take(undefined))
})

describe.each([
  ['system', () => systemRandomness()],
  ['seeded', () => seededRandomness(7)],
])('%s', (_, create) => {
  test('makes distinct UUIDs of version 4', () => {
    const random = create()
    const ids = Array.from({ length: 1000 }, () => random.uuid())
    for (const id of ids) expect(id).toMatch(UUID_V4)
    expect(new Set(ids).size).toBe(1000)
  })

  test('makes tokens of equally likely letters and digits', () => {
    const random = create()
    expect(random.token(0)).toBe('')
    expect(random.token(24)).toMatch(/^[a-z0-9]{24}$/)
    const counts = new Map<string, number>()
    for (const letter of random.token(36_000)) counts.set(letter, (counts.get(letter) ?? 0) + 1)
    expect(counts.size).toBe(36)
    // The bounds are seven standard deviations from 1000.
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(220)
  })

  test('draws uniform numbers in [0, 1)', () => {
    const random = create()
    const draws = Array.from({ length: 10_000 }, () => random.draw())
    expect(Math.min(...draws)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...draws)).toBeLessThan(1)
    expect(Math.abs(draws.reduce((sum, draw) => sum + draw) / 10_000 - 0.5)).toBeLessThan(0.02)
  })
})

test('each seed gives a different, repeatable sequence', () => {
  const take = (seed: number | string) => {
    const random = seededRandomness(seed)
    return [random.uuid(), random.token(8), random.draw(), random.uuid()]
  }
  expect(take(42)).toEqual(take(42))
  expect(take(42)).toEqual(take('42'))
  expect(take(42)).not.toEqual(take(43))
  // Fixed values reveal a change of the sequence. Users have these ids in their snapshots.
  expect(take(42)).toMatchInlineSnapshot(`
    [
      "429153df-fd2e-4b2a-82a9-19fba155e777",
      "rffs4mgr",
      0.9751311011813719,
      "33eae951-0d7f-4a6b-90cb-da5f3868cf21",
    ]
  `)
  // It is long enough to contain each byte that is skipped.
  expect(createHash('sha256').update(seededRandomness(42).token(5000)).digest('hex')).toMatchInlineSnapshot(
    `"9851f3ab5d051790e48d5ac8116306a48c9cab7280256fcdfc7d050d5d5594b7"`,
  )
})
