// The payments, refunds and payouts of a shrunken case are numbered from 1.
import { expect, test } from 'vitest'
import type { Case } from '../../src/explore/evaluate-case.ts'
import { findingDocument, parseFinding } from '../../src/explore/finding-file.ts'
import { renumberCase } from '../../src/explore/renumber-case.ts'
import { exploreHandler, replayHandler } from './handlers/explore-handler.ts'
import { createNamed } from './handlers/handler.ts'
import { PLANTED_BUGS } from './handlers/planted-bugs.ts'

const CASE: Case = {
  story: {
    amounts: { main: 1000, unrelated: 1000 },
    steps: [
      { do: 'create', payment: 'p7', order: 'main' },
      { do: 'create', payment: 'u3', order: 'unrelated' },
      { do: 'create', payment: 'p4', order: 'main' },
      { do: 'expire', payment: 'p7' },
      { do: 'pay', payment: 'p4' },
      { do: 'pay', payment: 'u3' },
      { do: 'refund', payment: 'p4', refund: 'r5', percent: 30, result: 'pending' },
      { do: 'settle', refund: 'r5', result: 'failed' },
      { do: 'payout', payout: 'o2', result: 'failed' },
    ],
  },
  schedule: [
    [{ event: 'pay p4', copies: 2 }],
    [{ event: 'expire p7', copies: 1 }],
    [{ event: 'refund r5', copies: 1, response_lost: true }],
    [{ event: 'payout o2', copies: 1 }],
    [{ event: 'pay u3', copies: 1 }],
  ],
  resendsAll: false,
}

test('names are numbered in the order of their first delivery, also in the schedule', () => {
  const { story, schedule } = renumberCase(CASE).case
  expect(story.steps).toEqual([
    { do: 'create', payment: 'p2', order: 'main' },
    { do: 'create', payment: 'u1', order: 'unrelated' },
    { do: 'create', payment: 'p1', order: 'main' },
    { do: 'expire', payment: 'p2' },
    { do: 'pay', payment: 'p1' },
    { do: 'pay', payment: 'u1' },
    { do: 'refund', payment: 'p1', refund: 'r1', percent: 30, result: 'pending' },
    { do: 'settle', refund: 'r1', result: 'failed' },
    { do: 'payout', payout: 'o1', result: 'failed' },
  ])
  expect(schedule.flat().map(({ event }) => event)).toEqual(['pay p1', 'expire p2', 'refund r1', 'payout o1', 'pay u1'])
  expect(renumberCase({ ...CASE, story, schedule }).case).toEqual({ ...CASE, story, schedule })
})

test('a finding shows the new names in its rows and in its file, and its file fails again', async () => {
  for (const seed of [1, 2, 3, 4]) {
    const { findings } = await exploreHandler(createNamed(PLANTED_BUGS, 'keeps an order refunded'), {
      seed,
      maxFindings: 1,
    })
    const [finding] = findings
    if (finding === undefined) throw new Error('no finding')
    expect(finding.rows.map(({ sent }) => sent.split(' ')[1])).toEqual(['p1', 'p1', 'p2'])
    const saved = parseFinding(findingDocument(finding))
    expect(saved.schedule.flat().map(({ event }) => event)).toEqual(['pay p1', 'refund r1', 'pay p2'])
    expect(await replayHandler(createNamed(PLANTED_BUGS, 'keeps an order refunded'), { ...finding, case: saved })).toBe(
      true,
    )
  }
})

test('a file with the names of an older version is replayed', async () => {
  const older = { finding: { id: 'truth', title: 'x', story: CASE.story, schedule: CASE.schedule, resends_all: false } }
  const { findings } = await exploreHandler(createNamed(PLANTED_BUGS, 'lets an expired'), { maxFindings: 1 })
  const [finding] = findings
  if (finding === undefined) throw new Error('no finding')
  const replayed = { ...finding, case: parseFinding(older) }
  expect(await replayHandler(createNamed(PLANTED_BUGS, 'lets an expired'), replayed)).toBe(true)
})

test('the payment of a case without a main order belongs to the main order', async () => {
  for (const seed of [1, 2, 3]) {
    const { findings } = await exploreHandler(createNamed(PLANTED_BUGS, 'rounds'), { seed, maxFindings: 1 })
    expect(findings[0]?.rows.map(({ sent }) => sent)).toEqual([expect.stringMatching(/succeeded [po]1 \(/)])
  }
})
