// The parts of a probe's value that are masked, one below and one above each limit.
import { describe, expect, test } from 'vitest'
import {
  DELIVERIES,
  generalPath,
  isHistoryKey,
  isIdKey,
  isLastKey,
  maskedKey,
  maskedLeaf,
  TIME,
  VERSION,
} from '../../src/audit/mask-values.ts'
import { isBalance, isRefundedAmount } from '../../src/audit/refund-fields.ts'
import type { SentId } from '../../src/audit/sent-ids.ts'

const mask = (key: string, leaf: string | number) => maskedLeaf(key, leaf, [])

const createSentId = (id: string, value: string, key = value): SentId => ({
  id,
  value,
  key,
  replaceIn: (text, placeholder) => text.replace(new RegExp(`\\b${id}\\b`, 'g'), placeholder),
})

describe('a number', () => {
  test.each([
    [15e11 - 1, false],
    [15e11, true],
    [2e12 - 1, true],
    [2e12, false],
  ])('%d is a time under any key: %s', (value, isTime) => {
    expect(mask('amount', value)).toBe(isTime ? TIME : value)
    expect(mask('amount', String(value))).toBe(isTime ? TIME : String(value))
  })

  test.each([
    [9e8, false],
    [9e8 + 1, true],
    [5e9 - 1, true],
    [5e9, false],
    [9e11, false],
    [9e11 + 1, true],
    [5e12 - 1, true],
    [5e12, false],
  ])('%d is a time under the key of a time: %s', (value, isTime) => {
    expect(mask('paid_at', value)).toBe(isTime ? TIME : value)
  })

  test('a number with a fraction is not a time', () => {
    expect(mask('amount', 15e11 + 0.5)).toBe(15e11 + 0.5)
  })

  test('is a duration under the key of a duration', () => {
    expect([mask('took_ms', 1), mask('age', '12.5'), mask('age', 'old')]).toEqual([TIME, TIME, 'old'])
  })

  test('is replaced by the placeholder of an id that it equals, if the id has at least four digits', () => {
    const sentIds = [createSentId('1234', '{order_id}'), createSentId('567', '{order_id}')]
    expect([maskedLeaf('n', 1234, sentIds), maskedLeaf('n', 567, sentIds)]).toEqual(['{order_id}', 567])
  })
})

describe('a key', () => {
  test.each(['version', 'lock_version', 'row-seq', 'etag', '__v', 'rowVersion', 'invoice_number', 'orderno'])(
    '%s hides its value as a version',
    (key) => {
      expect(mask(key, 3)).toBe(VERSION)
    },
  )

  test.each(['versions', 'conversion', 'subseq', 'v', 'vx', 'sequences', 'number'])(
    '%s does not hide its value as a version',
    (key) => {
      expect(mask(key, 3)).toBe(3)
    },
  )

  test.each(['webhooks', 'hook_count', 'deliveries', 'retries', 'rejected', 'invalid_signatures', 'totalRequests'])(
    '%s hides a number as a count of messages',
    (key) => {
      expect([mask(key, 3), mask(key, 'three')]).toEqual([DELIVERIES, 'three'])
    },
  )

  test.each(['delivered', 'whits', 'webhook_url', 'calling', 'rejectedness'])(
    '%s does not hide its value as a count of messages',
    (key) => {
      expect(mask(key, 3)).toBe(3)
    },
  )

  test.each(['at', 'paid_at', 'created', 'updated_ms', 'paidAt', 'lastSeen', 'startTimeMs', 'unix_s'])(
    '%s hides its value as a time',
    (key) => {
      expect(mask(key, 1_700_000_000)).toBe(TIME)
    },
  )

  test.each(['flat', 'format', 'amount', 'createdness', 'at_most', 'dated_x'])(
    '%s does not hide its value as a time',
    (key) => {
      expect(mask(key, 1_700_000_000)).toBe(1_700_000_000)
    },
  )

  test('the end of a key shows an id, a history or the last message', () => {
    expect(['id', 'payment_id', 'paymentId', 'uuid', 'a.guid'].filter(isIdKey)).toHaveLength(5)
    expect(['paid', 'idle', 'ids', 'Id'].filter(isIdKey)).toEqual([])
    expect(
      ['tries', 'attempt', 'event_count', 'failed_tries', 'payAttempts', 'auditLog'].filter(isHistoryKey),
    ).toHaveLength(6)
    expect(['retry', 'logo', 'eventual', 'noted', 'Tries_left'].filter(isHistoryKey)).toEqual([])
    expect(['last', 'last_event', 'error', 'x_reason', 'latestEvent', 'failReason'].filter(isLastKey)).toHaveLength(6)
    expect(['lasting', 'blast', 'errors', 'lastly'].filter(isLastKey)).toEqual([])
  })

  test('a key says whether refunds change its value', () => {
    expect(
      ['$.balance', '$.a.net', '$.shop_balance', '$.shopBalance', '$.a[0].balance'].filter(isBalance),
    ).toHaveLength(5)
    expect(['$.balances', '$.internet', '$.imbalance', '$.netto', '$.balance.x'].filter(isBalance)).toEqual([])
    const refunded = [
      'refunded',
      'refunds',
      'refund_amount',
      'refundedsum',
      'total_refunded',
      'isRefunded',
      'x.RefundTotal',
    ]
    expect(refunded.map((key) => isRefundedAmount(`$.${key}`))).toEqual([true, true, true, true, true, true, false])
    expect(['$.refund', '$.refunder', '$.refunded_at', '$.amount'].filter(isRefundedAmount)).toEqual([])
  })
})

describe('a text', () => {
  test.each([
    ['2026-05-06T12:00:00Z', TIME],
    ['2026-05-06 12:00', TIME],
    ['paid 2026-05-06T12:00:00.123+03:00!', `paid ${TIME}!`],
    ['Wed, 06 May 2026 12:00:00 GMT', TIME],
    ['Wed May 06 2026 12:00:00 GMT+0300 (MSK)', TIME],
    ['1500000000000', TIME],
    ['t=1500000000000;', `t=${TIME};`],
    ['1400000000000', '1400000000000'],
    ['11500000000000', '11500000000000'],
    ['15000000000000', '15000000000000'],
    ['2026-05-06', '2026-05-06'],
  ])('%j is masked as %j', (text, masked) => {
    expect(mask('text', text)).toBe(masked)
  })

  test('a generated id is masked as a key only', () => {
    const ids = [
      '5a0d0000-0000-4000-8000-000000000002',
      '0123456789abcdef',
      '01ARZ3NDEKTSV4RRFFQ69G5FAV',
      `x-${'a'.repeat(16)}`,
    ]
    expect(ids.map((id) => maskedKey(id, []))).toEqual([
      '{generated id}',
      '{generated id}',
      '{generated id}',
      'x-{generated id}',
    ])
    expect(ids.map((id) => mask('text', id))).toEqual(ids)
    const others = ['0123456789abcde', `${'a'.repeat(16)}z`, '81ARZ3NDEKTSV4RRFFQ69G5FAV']
    expect(others.map((id) => maskedKey(id, []))).toEqual(others)
  })

  test('is replaced by the placeholder of an id that it equals, and each id in it is replaced', () => {
    const sentIds = [createSentId('pay-000001', '{payment_id}'), createSentId('A-1', '{order_id}', '{order_id 2}')]
    expect(maskedLeaf('x', 'pay-000001', sentIds)).toBe('{payment_id}')
    expect(maskedLeaf('x', 'of A-1: pay-000001, A-12', sentIds)).toBe('of {order_id}: {payment_id}, A-12')
    expect(maskedKey('A-1', sentIds)).toBe('{order_id 2}')
  })
})

test('paths of two orders have the same general path', () => {
  expect(generalPath('$.tries.{payment_id 2}.{}.x')).toBe('$.tries.{}.{}.x')
})
