import { describe, expect, test } from 'vitest'
import { refundableAmount } from '../../src/domain/refund.ts'

describe('refundableAmount', () => {
  const payment = { amount: 1000, amount_refunded: 300 }
  const refunds = [
    { status: 'succeeded', amount: 300 },
    { status: 'pending', amount: 200 },
    { status: 'failed', amount: 400 },
  ]

  test('refundableAmount excludes succeeded and pending refunds, and includes failed ones', () => {
    expect(refundableAmount(payment, refunds)).toBe(500)
  })

  test('refundableAmount includes pending refunds if they are not reserved', () => {
    expect(refundableAmount(payment, refunds, false)).toBe(700)
  })

  test('refundableAmount excludes refunded amounts without a stored refund', () => {
    expect(refundableAmount(payment, [])).toBe(700)
  })
})
