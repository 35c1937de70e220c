// Decides whether a timeline is complete.
import { describe, expect, it } from 'vitest'
import { paymentTimeline } from '../../src/view-model/detail/timeline.ts'
import { createPayment } from '../tui/fixtures.ts'

const at = '2026-05-06T12:00:00Z'

describe('the timeline of a payment', () => {
  it.each([
    ['no step is missing if the stream begins with `processing`', 'succeeded', ['processing', 'succeeded'], undefined],
    ['no step is missing if the stream begins with `pending`', 'succeeded', ['pending', 'processing'], undefined],
    ['no step is missing if the payment was cancelled', 'cancelled', [], undefined],
    ['steps are missing if the stream has only the end', 'succeeded', ['succeeded'], 'lost'],
    ['steps are missing if the stream has no step', 'failed', [], 'lost'],
  ] as const)('its timeline says that %s', (_, status, labels, missing) => {
    const row = {
      id: 'p1',
      payment: createPayment('p1', { status, created_at: at, finalized_at: '2026-05-06T12:01:00Z' }),
      steps: labels.map((label) => ({ at, label })),
      lastMessageId: 1,
    }
    expect(paymentTimeline(row, false).missing).toBe(missing)
  })
})
