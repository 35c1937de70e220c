// The order of event streams that overlap in a recording, because the proxy notices late that a client closed one.
import { describe, expect, test } from 'vitest'
import { precedencesIn } from '../../src/recordings/compare/overlapping-calls.ts'
import type { RecordedCall } from '../../src/recordings/compare/recorded-call.ts'

function stream(startedAt: number, endedAt: number, more: Partial<RecordedCall> = {}, key = 'aaaaaa'): RecordedCall {
  const headers = new Map([['authorization', `Bearer sk_test_${key}_${'0'.repeat(32)}`]])
  const call = { operation: 'GET /v1/public/events', status: 200, isClosedByClient: true, headers, response: undefined }
  return { ...call, startedAt, endedAt, ...more } as unknown as RecordedCall
}

const CLOSED = stream(0, 5000)

describe('a stream that the client closed', () => {
  test.each([
    [4000, 'during the stream'],
    [3000, 'at most 2 s before the noticed end'],
    [5000, 'at the noticed end'],
  ])('ended before the next stream of the key that opened after %d ms, %s', (startedAt) => {
    const next = stream(startedAt, 9000)
    const expected = [{ earlier: CLOSED, later: next, before: 'start' }]
    expect(precedencesIn([CLOSED, next])).toEqual(expected)
    expect(precedencesIn([next, CLOSED])).toEqual(expected)
  })

  test.each<[string, readonly RecordedCall[]]>([
    ['more than 2 s earlier', [CLOSED, stream(2999, 9000)]],
    ['after its end', [CLOSED, stream(5001, 9000)]],
    ['with another key', [CLOSED, stream(4000, 9000, {}, 'bbbbbb')]],
    ['after the service ended it', [stream(0, 5000, { isClosedByClient: false }), stream(4000, 9000)]],
    ['by another operation', [CLOSED, stream(4000, 9000, { operation: 'GET /v1/public/banks' })]],
  ])('has no known order with a call that began %s', (_, calls) => {
    expect(precedencesIn(calls)).toEqual([])
  })
})

describe('a stream that the service replaced', () => {
  const message = (kind: string, payload: object) => `data: ${JSON.stringify({ kind, payload })}\n\n`
  const CREATED = message('payment.created', { id: 'p1', status: 'pending' })
  const CANCELLED = message('payment.status_changed', { id: 'p1', status: 'cancelled' })
  const ended = { isClosedByClient: false }
  const withText = (text: string) => ({ ...ended, response: { text } as never })
  const call = (operation: string, status: number) => {
    const shows = { id: 'p1', type: 'payment', status: 'pending' } as const
    return stream(4000, 4100, { operation, status, shows, objectId: 'p1', ...ended })
  }
  const creation = call('POST /v1/public/payments', 201)
  const cancellation = call('POST /v1/public/payments/{id}/cancel', 200)
  const replaced = stream(0, 4050, withText(CREATED + CANCELLED))

  test.each([
    ['creation', creation],
    ['cancellation', cancellation],
  ])('has the message about a %s that was finished before the next stream was opened', (_, earlier) => {
    const later = stream(4001, 9000, withText(''))
    expect(precedencesIn([replaced, earlier, later])).toContainEqual({ earlier, later, before: 'start' })
  })

  test.each<[string, Partial<RecordedCall>, RecordedCall]>([
    ['both have the message', {}, stream(4001, 9000, withText(CREATED + CANCELLED))],
    [
      'the client closed the first one long after',
      { endedAt: 8000, isClosedByClient: true },
      stream(4001, 9000, ended),
    ],
    ['the first one was open for longer', { endedAt: 9001 }, stream(4001, 9000, ended)],
    ['the first one ended earlier', { endedAt: 4000 }, stream(4001, 9000, ended)],
    ['they have different keys', {}, stream(4001, 9000, ended, 'bbbbbb')],
  ])('does not order a call and the start of the next stream if %s', (_, first, next) => {
    const found = precedencesIn([{ ...replaced, ...first }, creation, cancellation, next])
    expect(found).toContainEqual({ earlier: creation, later: { ...replaced, ...first }, before: 'end' })
    expect(found.filter(({ before }) => before === 'start')).toEqual([])
  })
})

describe('a stream that the service refused', () => {
  const refused = stream(1000, 1010, { status: 409, isClosedByClient: false })

  test('was refused before the end of the open stream of the same key', () => {
    expect(precedencesIn([CLOSED, refused])).toEqual([{ earlier: refused, later: CLOSED, before: 'end' }])
  })

  test('has no known order if no stream of its key was open', () => {
    expect(precedencesIn([stream(0, 999), refused])).toEqual([])
    expect(precedencesIn([stream(0, 5000, {}, 'bbbbbb'), refused])).toEqual([])
    expect(precedencesIn([CLOSED, { ...refused, status: 429 }])).toEqual([])
    expect(precedencesIn([refused, stream(1011, 5000)])).toEqual([])
  })

  test.each([
    ['until the refused one began', stream(0, 1000)],
    ['when the refused one ended', stream(1010, 5000)],
  ])('was refused because of a stream that was open %s', (_, open) => {
    expect(precedencesIn([open, refused])).toEqual([{ earlier: refused, later: open, before: 'end' }])
  })

  test('has no known order if the request has no API key', () => {
    const keyless = { headers: new Map() }
    expect(precedencesIn([stream(0, 5000, keyless), refused])).toEqual([])
  })

  test('is not another call that the service refused during the stream', () => {
    expect(precedencesIn([CLOSED, { ...refused, operation: 'POST /v1/public/payments/{id}/cancel' }])).toEqual([])
  })
})
