import { expect, test } from 'vitest'
import { type Attempt, MAX_EARLIER_BODY, type RecordedBody, withAttempt } from '../../src/domain/delivery.ts'
import type { SandboxTime, WallTime } from '../../src/domain/time.ts'

const attempt = (number: number, response_body?: RecordedBody): Attempt => ({
  number,
  at: number as SandboxTime,
  sent_at: number as WallTime,
  ms: 1,
  status: 500,
  request_headers: [],
  ...(response_body === undefined ? {} : { response_body }),
})

const bodies = (attempts: readonly Attempt[]) => attempts.map(({ response_body }) => response_body)

test('withAttempt keeps the newest response whole and truncates the one before', () => {
  const page = { text: 'e'.repeat(60_000), truncated: true } as const
  const two = withAttempt(withAttempt([], attempt(1, page)), attempt(2, page))
  expect(bodies(two)).toEqual([{ text: 'e'.repeat(MAX_EARLIER_BODY), truncated: true }, page])
  const three = withAttempt(two, attempt(3))
  expect(bodies(three)).toEqual([two[0]?.response_body, two[0]?.response_body, undefined])
  expect(three.map(({ number }) => number)).toEqual([1, 2, 3])
})

test('withAttempt keeps a short earlier response unchanged', () => {
  const first = attempt(1, { text: 'e'.repeat(MAX_EARLIER_BODY) })
  expect(withAttempt([first], attempt(2))[0]).toEqual(first)
})

test('truncateResponse never splits a character', () => {
  const text = `${'e'.repeat(MAX_EARLIER_BODY - 1)}🍵 and more`
  expect(bodies(withAttempt([attempt(1, { text })], attempt(2)))[0]).toEqual({
    text: 'e'.repeat(MAX_EARLIER_BODY - 1),
    truncated: true,
  })
})

test('truncateResponse cuts base64 between bytes', () => {
  const bytes = Buffer.alloc(5000, 0xff)
  const [first] = bodies(withAttempt([attempt(1, { b64: bytes.toString('base64') })], attempt(2)))
  const kept = Buffer.from(first?.b64 ?? '', 'base64')
  expect(kept.equals(bytes.subarray(0, (MAX_EARLIER_BODY / 4) * 3))).toBe(true)
  expect(first?.truncated).toBe(true)
})
