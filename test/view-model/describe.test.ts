// The details of rows as data, complete, so that a field that is lost or added is noticed.
import { describe, expect, test } from 'vitest'
import { bodyContent, fieldRows, messageContent } from '../../src/view-model/detail/blocks.ts'
import { describePayment, describePayout } from '../../src/view-model/detail/objects.ts'
import { httpStatusTone, statusTone } from '../../src/view-model/detail/tones.ts'
import type { ListedPayment, ListedPayout } from '../../src/view-model/rows/rows.ts'
import { createPayment, createPayout, LOADED_DETAIL } from '../tui/fixtures.ts'

const AT = '2026-05-06T12:00:00.000Z'
const CONTEXT = { bankName: () => undefined, historyLoading: false }

const blocksOf = (payment: Partial<ListedPayment>) =>
  describePayment(
    { id: 'p1', payment: { ...createPayment('p1'), ...payment }, steps: [], lastMessageId: 1 },
    LOADED_DETAIL,
    CONTEXT,
  ).blocks

const fieldsOf = (payment: Partial<ListedPayment>) => {
  const block = blocksOf(payment).find((each) => each.kind === 'fields')
  return block?.kind === 'fields' ? block.rows.map(({ label, value, tone }) => [label, value, tone]) : []
}

describe('a payment', () => {
  test('has its status, amount and method, and the blocks in their order', () => {
    const view = describePayment(
      { id: 'p1', payment: createPayment('p1'), steps: [], lastMessageId: 1 },
      { ...LOADED_DETAIL, problem: 'lost' },
      CONTEXT,
    )
    expect({ ...view, blocks: view.blocks.map(({ kind }) => kind) }).toEqual({
      title: 'p1',
      note: '',
      problem: 'lost',
      summary: [
        { text: 'pending', tone: 'warning', isStatus: true },
        { text: '1 500.00 RUB', tone: 'plain' },
        { text: 'sbp', tone: 'plain' },
      ],
      blocks: ['timeline', 'fields', 'webhooks'],
    })
  })

  test('has only the fields with a value', () => {
    expect(fieldsOf({})).toEqual([
      ['order', 'ord_p1', 'plain'],
      ['shop', 'Shop', 'plain'],
      ['expires', '2026-05-07 11:59:50', 'plain'],
    ])
  })

  test('has every field in its order', () => {
    const fields = fieldsOf({
      description: 'Tea',
      amount_refunded: 1,
      plan: 'failed',
      decided_by: 'rule rul_1',
      metadata: { mode: 'test', simulate: 'faild', failure_code: 'card_lost' },
      mode: 'test',
      rrn: '123456789012',
      bank_name: 'Bank',
      customer_phone_mask: '+7***',
      customer_card_mask: '4242**',
      customer_card_holder: 'ANNA',
      return_url: 'https://shop.example/',
      processing_until: AT,
    })
    expect(fields).toEqual([
      ['order', 'ord_p1', 'plain'],
      ['description', 'Tea', 'plain'],
      ['refunded', '0.01 RUB', 'plain'],
      ['planned', 'failed', 'plain'],
      ['decided by', 'rule rul_1', 'plain'],
      ['ignored', 'metadata.simulate, which is not a plan', 'warning'],
      ['suggested', 'failed', 'warning'],
      ['failure', 'card_lost', 'failure'],
      ['shop', 'Shop', 'plain'],
      ['mode', 'test', 'plain'],
      ['rrn', '123456789012', 'plain'],
      ['bank', 'Bank', 'plain'],
      ['payer', '+7***', 'plain'],
      ['holder', 'ANNA', 'plain'],
      ['return', 'https://shop.example/', 'plain'],
      ['expires', '2026-05-07 11:59:50', 'plain'],
      ['bank result by', '2026-05-06 12:00:00', 'plain'],
    ])
  })

  test('has no deadline once it is final', () => {
    const fields = fieldsOf({ status: 'expired', finalized_at: AT, processing_until: AT })
    expect(fields.map(([label]) => label)).toEqual(['order', 'shop'])
  })

  test('has the id of a shop without a name, the mask of a card, and the outcome without a plan', () => {
    const fields = Object.fromEntries(
      fieldsOf({
        shop_name: undefined as never,
        customer_card_mask: '4242**',
        metadata: { simulator_outcome: 'succeeded' },
      }),
    )
    expect([fields['shop'], fields['payer'], fields['planned']]).toEqual(['s', '4242**', 'succeeded'])
  })

  test('has its metadata and its refunds in separate blocks', () => {
    const refund = { id: 'r1', amount: 100, status: 'failed', reason: 'size', created_at: AT }
    const blocks = blocksOf({
      metadata: { cart: '7' },
      refunds: [refund, { ...refund, id: 'r2', reason: undefined }] as never,
    })
    expect(blocks.slice(2, 4)).toEqual([
      { kind: 'fields', title: 'Metadata', rows: [{ label: 'cart', value: '7', tone: 'plain' }] },
      {
        kind: 'lines',
        title: 'Refunds',
        lines: [
          [
            { text: 'failed', tone: 'failure', isStatus: true },
            { text: '1.00 RUB', tone: 'plain' },
            { text: 'size', tone: 'plain' },
            { text: 'r1', tone: 'dim' },
          ],
          [
            { text: 'failed', tone: 'failure', isStatus: true },
            { text: '1.00 RUB', tone: 'plain' },
            { text: 'r2', tone: 'dim' },
          ],
        ],
      },
    ])
  })
})

test('a payout has the name of its bank if it is known, and every field in its order', () => {
  const payout: ListedPayout = {
    ...createPayout('o1'),
    recipient: { phone: '+79161234567', bank_id: '100000000008', full_name: 'Anna P' },
    fail_reason: 'bank_unknown',
    plan: 'failed',
    decided_by: 'default',
    mode: 'test',
  }
  const fields = (bankName: (id: string) => string | undefined) =>
    describePayout({ id: 'o1', payout, steps: [], lastMessageId: 1 }, LOADED_DETAIL, { ...CONTEXT, bankName }).blocks[1]
  const rows = (bank: string) => [
    { label: 'phone', value: '+79161234567', tone: 'plain' },
    { label: 'bank', value: bank, tone: 'plain' },
    { label: 'name', value: 'Anna P', tone: 'plain' },
    { label: 'reason', value: 'bank_unknown', tone: 'failure' },
    { label: 'planned', value: 'failed', tone: 'plain' },
    { label: 'decided by', value: 'default', tone: 'plain' },
    { label: 'mode', value: 'test', tone: 'plain' },
  ]
  expect(fields((id) => `Bank of ${id}`)).toEqual({
    kind: 'fields',
    title: 'Fields',
    rows: rows('Bank of 100000000008  100000000008'),
  })
  expect(fields(() => undefined)).toMatchObject({ rows: rows('100000000008') })
})

test('each status has a tone', () => {
  expect(['succeeded', 'failed', 'toString', ''].map(statusTone)).toEqual(['success', 'failure', 'plain', 'plain'])
  expect([199, 200, 299, 300, 499, 500, 0].map(httpStatusTone)).toEqual([
    'failure',
    'success',
    'success',
    'warning',
    'warning',
    'failure',
    'failure',
  ])
})

test('a field without a visible value is omitted', () => {
  expect(
    fieldRows([
      ['a', 0],
      ['b', ' '],
      ['c', null],
      ['d', undefined],
      ['e', 'x', 'dim'],
    ]),
  ).toEqual([
    { label: 'a', value: '0', tone: 'plain' },
    { label: 'e', value: 'x', tone: 'dim' },
  ])
})

test('a body is its text, or base64', () => {
  expect([undefined, null, { body: '' }, { body: 'x' }, { body_b64: 'gA==' }].map((body) => bodyContent(body))).toEqual(
    [
      { text: '', isBase64: false },
      { text: '', isBase64: false },
      { text: '', isBase64: false },
      { text: 'x', isBase64: false },
      { text: 'gA==', isBase64: true },
    ],
  )
  expect(messageContent({ headers: [['A', '1']] } as never).headers).toEqual([['A', '1']])
})
