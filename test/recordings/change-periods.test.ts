// The period in which a recorded change may have happened, by the calls before and after it.
import { expect, test } from 'vitest'
import { ChangePeriods } from '../../src/recordings/compare/change-periods.ts'
import type { RecordedCall } from '../../src/recordings/compare/recorded-call.ts'
import type { ObservedMessage } from '../../src/recordings/compare/stream-messages.ts'

const ID = 'p1'

/** A call that showed the payment with a status, from `startedAt` until `startedAt + 10`. */
function shown(startedAt: number, status: string, more: Partial<RecordedCall> = {}): RecordedCall {
  const shows = { id: ID, type: 'payment', status }
  const call = { operation: 'GET /v1/public/payments/{id}', status: 200, startedAt, endedAt: startedAt + 10, shows }
  return { ...call, ...more } as unknown as RecordedCall
}

const CREATION = shown(100, 'pending', { operation: 'POST /v1/public/payments', status: 201 })

function periodOf(calls: readonly RecordedCall[], kind: string, payload: object = {}, id = ID) {
  return new ChangePeriods(calls, new Map()).periodOf({ kind, payload } as unknown as ObservedMessage, id)
}

test('a creation happened during its call', () => {
  expect(periodOf([CREATION, shown(200, 'pending')], 'payment.created')).toEqual({ from: 100, to: 110 })
  expect(periodOf([CREATION], 'payment.created', {}, 'p2')).toBeUndefined()
  expect(periodOf([shown(100, 'pending')], 'payment.created')).toBeUndefined()
})

test('a change happened after the start of the last call with an older state, and before the end of the first with the new one', () => {
  const calls = [
    shown(500, 'succeeded'),
    CREATION,
    shown(200, 'pending'),
    shown(300, 'processing'),
    shown(400, 'succeeded'),
  ]
  const changed = (status: string) => periodOf(calls, 'payment.status_changed', { status })
  expect(changed('succeeded')).toEqual({ from: 300, to: 410 })
  expect(changed('processing')).toEqual({ from: 200, to: 310 })
  expect(periodOf([CREATION, shown(200, 'pending')], 'payment.status_changed', { status: 'succeeded' })).toEqual({
    from: 200,
    to: Number.POSITIVE_INFINITY,
  })
})

test('a message that reports no change of state has no period', () => {
  expect(periodOf([CREATION], 'payment.refunded', { status: 'refunded' })).toBeUndefined()
  expect(periodOf([CREATION], 'payment.status_changed')).toBeUndefined()
})
