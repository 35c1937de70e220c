// Each mutation changes a schedule as its name says. The draws are given, so the result is certain.
import { expect, test } from 'vitest'
import { MUTATIONS, mutateSchedule } from '../../src/explore/mutate-schedule.ts'
import { inOrderSchedule, type Schedule } from '../../src/explore/schedule.ts'
import { seededRandomness } from '../../src/random.ts'

/** A source that returns these numbers one after the other. */
function draws(...values: readonly number[]) {
  let at = 0
  const draw = () => {
    const value = values[at++]
    if (value === undefined) throw new Error('too many draws')
    return value
  }
  return { ...seededRandomness('unused'), draw }
}

/** Writes a schedule as `a b*2 | c lost`. */
function textOf(schedule: Schedule): string {
  const shown = schedule.map((round) =>
    round
      .map(
        ({ event, copies, response_lost }) =>
          `${event}${copies > 1 ? `*${copies}` : ''}${response_lost ? ' lost' : ''}`,
      )
      .join(' '),
  )
  return shown.join(' | ')
}

test.each<[id: (typeof MUTATIONS)[number]['id'], numbers: number[], expected: string]>([
  ['swap', [0], 'b | a | c'],
  ['swap', [0.99], 'a | c | b'],
  ['delay', [0, 0], 'b | a | c'],
  ['delay', [0, 0.34], 'b | c | a'],
  ['delay', [0.34, 0.99], 'a | c | b'],
  ['copies', [0, 0, 0], 'a*2 | b | c'],
  ['copies', [0.99, 0, 0.99], 'a | b | c*4'],
  ['repeat_later', [0, 0], 'a | a | b | c'],
  ['repeat_later', [0, 0.99], 'a | b | c | a'],
  ['repeat_later', [0.99, 0.99], 'a | b | c | c'],
  ['response_lost', [0.5, 0], 'a | b lost | c'],
  ['together', [0], 'a b | c'],
  ['together', [0.99], 'a | b c'],
  ['last', [0], 'b | c | a'],
  ['last', [0.5], 'a | c | b'],
])('the mutation %s with the draws %j makes "%s" of "a | b | c"', (id, numbers, expected) => {
  const mutation = MUTATIONS.find((one) => one.id === id)
  const source = draws(...numbers)
  expect(textOf(mutation?.apply(inOrderSchedule(['a', 'b', 'c']), source) ?? [])).toBe(expected)
  expect(() => source.draw()).toThrow('too many draws')
})

test('a mutation of one delivery does not change the other deliveries of its round', () => {
  const schedule = [
    [
      { event: 'a', copies: 3 },
      { event: 'b', copies: 3, response_lost: true as const },
    ],
  ]
  const apply = (id: string, ...numbers: number[]) =>
    MUTATIONS.find((one) => one.id === id)?.apply(schedule, draws(...numbers)) ?? []
  expect(textOf(apply('copies', 0, 0.5, 0))).toBe('a*3 b*2 lost')
  expect(textOf(apply('response_lost', 0, 0))).toBe('a lost b*3 lost')
  expect(textOf(apply('repeat_later', 0, 0))).toBe('a*3 b*3 lost | a b')
})

test('a schedule of one round is sent several times, but is never reordered', () => {
  const single = inOrderSchedule(['a'])
  const changed = new Set<string>()
  for (let seed = 0; seed < 200; seed++) changed.add(textOf(mutateSchedule(single, seededRandomness(seed))))
  expect(changed).toContain('a')
  expect(changed).toContain('a*2')
  expect(changed).toContain('a | a')
  expect(changed).toContain('a lost')
})

test('up to three mutations are applied', () => {
  // The first number draws how many. The total of the weights is 26, and the first 4 of them are those of `swap`.
  const apply = (...numbers: number[]) => textOf(mutateSchedule(inOrderSchedule(['a', 'b', 'c']), draws(...numbers)))
  expect(apply(0, 0, 0)).toBe('b | a | c')
  expect(apply(0.34, 0, 0, 0, 0.99)).toBe('b | c | a')
  expect(apply(0.99, 0, 0, 0, 0.99, 0, 0)).toBe('c | b | a')
})
