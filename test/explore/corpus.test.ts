import { expect, test } from 'vitest'
import { createCorpus } from '../../src/explore/corpus.ts'
import type { Case } from '../../src/explore/evaluate-case.ts'
import { seededRandomness } from '../../src/random.ts'

const SEED: Case = {
  story: {
    amounts: { main: 1000, unrelated: 1000 },
    steps: [
      { do: 'create', payment: 'p1', order: 'main' },
      { do: 'pay', payment: 'p1' },
      { do: 'refund', payment: 'p1', refund: 'r1', percent: 30, result: 'succeeded' },
    ],
  },
  schedule: [[{ event: 'refund r1', copies: 1 }], [{ event: 'pay p1', copies: 1 }]],
  resendsAll: false,
}

test('an exploration with a story begins with its case, and varies its schedule in half of the new cases', () => {
  const corpus = createCorpus(seededRandomness('a'), { firstCase: SEED })
  const drawn = Array.from({ length: 200 }, () => corpus.next().given)
  expect(drawn[0]).toEqual(SEED)
  const varied = drawn.slice(1).filter(({ story }) => story === SEED.story)
  expect(varied.length).toBeGreaterThan(70)
  expect(varied.length).toBeLessThan(130)
  expect(new Set(varied.map(({ schedule }) => JSON.stringify(schedule))).size).toBeGreaterThan(20)
})

test('a seed generates the same cases without options and with empty options', () => {
  const [one, other] = [createCorpus(seededRandomness('a')), createCorpus(seededRandomness('a'), {})]
  for (let at = 0; at < 10; at++) expect(one.next()).toEqual(other.next())
})
