import { expect, test } from 'vitest'
import type { RecordedCall } from '../../src/recordings/compare/recorded-call.ts'
import { reasonToSkip, usedIdempotencyKeys } from '../../src/recordings/compare/replayable.ts'

const call = (status: number | undefined, operation = 'POST /v1/public/payments/{id}/refund', key = 'r-1') =>
  ({
    method: 'POST',
    operation,
    isBodyKnown: true,
    key,
    status: status ?? 0,
  }) as unknown as RecordedCall
const reason = (one: RecordedCall, ...others: RecordedCall[]) =>
  reasonToSkip(one, usedIdempotencyKeys([...others, one]), new Set())

test('a repeat of a creation from before the recording is skipped', () => {
  expect(reason(call(200))).toBe('it repeats a call from before the recording')
  expect(reason(call(200), call(201, undefined, 'r-2'))).toBe('it repeats a call from before the recording')
})

test('a repeat is replayed if the recording has the creation, or the call whose response was lost', () => {
  expect(reason(call(200), call(201))).toBeUndefined()
  expect(reason(call(200), call(undefined))).toBeUndefined()
})

test('a cancellation is replayed, because its first response is a 200 as well', () => {
  expect(reason(call(200, 'POST /v1/public/payments/{id}/cancel'))).toBeUndefined()
})
