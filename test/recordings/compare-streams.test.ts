import { expect, test } from 'vitest'
import { compareStreams } from '../../src/recordings/compare/compare-streams.ts'
import { observedMessages } from '../../src/recordings/compare/stream-messages.ts'

const refund = (id: string, amount: number) =>
  `event: refund.created\ndata: ${JSON.stringify({
    kind: 'refund.created',
    at: '2026-05-06T12:00:00Z',
    payload: { id, payment_id: 'p', status: 'succeeded', amount },
  })}\n\n`

test('messages about different objects are not paired, although one of them is missing', () => {
  const compared = (isAtEdge: boolean) =>
    compareStreams({
      entry: 1,
      recorded: observedMessages(refund('b', 4000)),
      sandbox: observedMessages(refund('a', 1) + refund('b', 4000)),
      mapId: (id) => id,
      isAtEdge: () => isAtEdge,
    }).map(({ kind, at }) => `${kind} ${at}`)
  expect(compared(true)).toEqual([])
  expect(compared(false)).toEqual(['added message refund.created'])
})
