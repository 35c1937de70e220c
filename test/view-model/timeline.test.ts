// Decides whether a timeline is complete.
import { describe, expect, it } from 'vitest'
import { paymentTimeline } from '../../src/view-model/detail/timeline.ts'
import { applyMessages } from '../../src/view-model/rows/apply-messages.ts'
import { NO_ROWS } from '../../src/view-model/rows/rows.ts'
import { parseMessages } from '../../src/view-model/rows/stream-message.ts'
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

  it('its timeline has each step of 3-D Secure, and a repeated message adds none', () => {
    const payment = createPayment('p1', { status: 'pending', created_at: at })
    const message = (id: string, more: object) =>
      parseMessages(id, JSON.stringify({ kind: 'payment', at, status: 'pending', payment, ...more }))
    const { payments } = applyMessages(NO_ROWS, [
      ...message('1', { change: 'created' }),
      ...message('2', { change: 'updated', three_ds: 'code_requested' }),
      ...message('3', { change: 'updated', three_ds: 'wrong_code' }),
      ...message('4', { change: 'updated', three_ds: 'wrong_code' }),
      ...message('4', { change: 'updated', three_ds: 'wrong_code' }),
      ...message('5', { change: 'updated', three_ds: 'new_step' }),
      ...message('6', { change: 'updated' }),
    ])
    const row = payments.get('p1')
    expect(row && paymentTimeline(row, false).steps.map(({ label, details, tone }) => [label, details, tone])).toEqual([
      ['pending', '', 'warning'],
      ['3-D Secure', 'code requested', 'plain'],
      ['3-D Secure', 'wrong code', 'plain'],
      ['3-D Secure', 'wrong code', 'plain'],
      ['3-D Secure', 'new step', 'plain'],
    ])
  })
})
