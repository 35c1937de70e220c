// Which actions a row allows, why another one does nothing, and what an action does.
import { describe, expect, test } from 'vitest'
import { rowAction } from '../../src/view-model/actions/act-on-row.ts'
import {
  type ActionIssue,
  ROW_ACTIONS,
  type RowAction,
  rowActionIssue,
} from '../../src/view-model/actions/available-actions.ts'
import { deliveryRow, type PaneName, type Row } from '../../src/view-model/rows/rows.ts'
import { createPayment, createPayout } from '../tui/fixtures.ts'

const payment = (fields: object = {}): Row => ({
  id: '12345678-p',
  payment: createPayment('12345678-p', fields),
  steps: [],
  lastMessageId: 0,
})
const payout = (fields: object = {}): Row => ({
  id: '12345678-o',
  payout: createPayout('12345678-o', fields),
  steps: [],
  lastMessageId: 0,
})
const delivery = (id: string, object_id = '12345678-p') =>
  deliveryRow(
    {
      ...{ id, event: 'payment.failed', event_id: `evt_${id}`, object_id, url: 'http://x/' },
      status: 'waiting',
      attempts_made: 1,
      attempts_total: 9,
    },
    { at: '', ms: 1, status: 500 },
    0,
  )
const request: Row = { id: '7', request: { id: 7 } as never, lastMessageId: 0 }
const message = (object_id?: string): Row => {
  const row = { id: '9', at: '', kind: 'event', summary: '', object_id }
  return { ...row, message: { kind: 'gap', at: '' } }
}

const NO_KEY = (pane: PaneName) =>
  ({ text: `This action does nothing in the ${pane} pane.`, remedy: 'show_payments' }) as const
const ONLY_PAYMENTS = { text: 'This action is for payments only.', remedy: 'show_payments' } as const
const FINAL = (status: string) => ({ text: `The payment is already ${status}.`, remedy: 'create' }) as const
const NOT_PENDING = (status: string) => ({ text: `The payment is ${status}. Only a pending payment can be cancelled.` })
const NOT_SUCCEEDED = (status: string) => ({
  text: `The payment is ${status}. Only a succeeded payment can be refunded.`,
})
const NO_WEBHOOK = (status: string) => ({ text: `The payment is ${status}. It has no webhook yet.` })
const SETTLED = { text: 'The payout is failed. Only a pending payout can be settled.' }
const NO_PAYOUT_WEBHOOK = { text: 'The payout is pending. It has no webhook yet.' }

type Issues = { readonly [action in RowAction]?: ActionIssue }
const refund = {
  id: 'r',
  payment_id: 'p',
  merchant_id: 'm',
  amount: 150_000,
  status: 'pending',
  created_at: '',
} as const

test.each<[what: string, row: Row, pane: PaneName, issues: Issues]>([
  [
    'a pending payment',
    payment({ status: 'pending' }),
    'payments',
    { refund: NOT_SUCCEEDED('pending'), replay: NO_WEBHOOK('pending'), retry: NO_WEBHOOK('pending') },
  ],
  [
    'a payment in processing',
    payment({ status: 'processing' }),
    'payments',
    {
      cancel: NOT_PENDING('processing'),
      refund: NOT_SUCCEEDED('processing'),
      replay: NO_WEBHOOK('processing'),
      retry: NO_WEBHOOK('processing'),
    },
  ],
  [
    'a succeeded payment',
    payment({ status: 'succeeded' }),
    'payments',
    { pay: FINAL('succeeded'), decline: FINAL('succeeded'), cancel: NOT_PENDING('succeeded') },
  ],
  [
    'a payment with a refund of all of it',
    payment({ status: 'succeeded', amount: 150_000, refunds: [refund] }),
    'payments',
    {
      pay: FINAL('succeeded'),
      decline: FINAL('succeeded'),
      cancel: NOT_PENDING('succeeded'),
      refund: { text: 'No refundable amount is left.' },
    },
  ],
  [
    'a failed payment',
    payment({ status: 'failed' }),
    'payments',
    {
      pay: FINAL('failed'),
      decline: FINAL('failed'),
      cancel: NOT_PENDING('failed'),
      refund: NOT_SUCCEEDED('failed'),
    },
  ],
  [
    'a pending payout',
    payout(),
    'payouts',
    {
      cancel: ONLY_PAYMENTS,
      refund: ONLY_PAYMENTS,
      page: ONLY_PAYMENTS,
      replay: NO_PAYOUT_WEBHOOK,
      retry: NO_PAYOUT_WEBHOOK,
    },
  ],
  [
    'a failed payout',
    payout({ status: 'failed' }),
    'payouts',
    { pay: SETTLED, decline: SETTLED, cancel: ONLY_PAYMENTS, refund: ONLY_PAYMENTS, page: ONLY_PAYMENTS },
  ],
  ...(
    [
      ['a delivery', delivery('d'), 'deliveries', ['replay', 'retry', 'copy']],
      ['a request', request, 'requests', ['copy']],
      ['a message about an object', message('p1'), 'stream', ['replay', 'copy']],
      ['a message about no object', message(), 'stream', ['copy']],
    ] as const
  ).map(([what, row, pane, allowed]): [string, Row, PaneName, Issues] => [
    what,
    row,
    pane,
    Object.fromEntries(
      ROW_ACTIONS.filter((action) => !allowed.some((one) => one === action)).map((action) => [action, NO_KEY(pane)]),
    ),
  ]),
])('%s does not allow some actions, each for its reason', (_, row, pane, issues) => {
  const found = ROW_ACTIONS.map((action) => [action, rowActionIssue(row, action, pane)])
  expect(Object.fromEntries(found.filter(([, issue]) => issue !== undefined))).toEqual(issues)
})

test('no action is possible without a row', () => {
  expect(rowActionIssue(undefined, 'copy', 'payments')).toEqual({ text: 'No row is selected.' })
})

describe('an action on a row', () => {
  const confirm = (question: string, effect: object) => ({ kind: 'confirm', question, effect })

  test.each<[action: RowAction, row: Row, result: unknown]>([
    ['copy', payment(), { do: 'copy', text: '12345678-p' }],
    ['copy', message('p1'), { do: 'copy', text: 'p1' }],
    ['copy', message(), { do: 'copy', text: '9' }],
    ['page', payment(), { do: 'open', id: '12345678-p' }],
    ['pay', payment(), confirm('Pay 12345678, 1 500.00 RUB?', { do: 'pay', id: '12345678-p' })],
    [
      'pay',
      payout({ amount: 500 }),
      confirm('Complete payout 12345678, 5.00 RUB?', { do: 'settle', id: '12345678-o', status: 'succeeded' }),
    ],
    ['pay', request, undefined],
    [
      'cancel',
      payment(),
      confirm('Cancel 12345678, 1 500.00 RUB? This cannot be undone.', { do: 'cancel', id: '12345678-p' }),
    ],
    ['cancel', payout(), undefined],
    ['refund', payout(), undefined],
    ['replay', delivery('d'), confirm('Replay payment.failed for 12345678?', { do: 'replay', event_id: 'evt_d' })],
    [
      'replay',
      message('12345678-x'),
      confirm('Replay the newest webhook event for 12345678?', { do: 'replay_newest', object_id: '12345678-x' }),
    ],
    [
      'replay',
      payment(),
      confirm('Replay the newest webhook event for 12345678?', { do: 'replay_newest', object_id: '12345678-p' }),
    ],
    ['retry', delivery('d'), { do: 'retry', delivery_id: 'd' }],
    [
      'retry',
      { ...delivery('d'), status: 'delivered', lastAttempt: { at: '', ms: 1, status: 200 } },
      confirm('The webhook payment.failed for 12345678 is delivered. Send it again?', {
        do: 'retry',
        delivery_id: 'd',
      }),
    ],
    [
      'retry',
      { ...delivery('d'), attemptsMade: 0, lastAttempt: undefined },
      confirm('The webhook payment.failed for 12345678 is waiting. Send it now?', { do: 'retry', delivery_id: 'd' }),
    ],
    [
      'retry',
      payment(),
      confirm('No webhook of 12345678 fails. Send its newest webhook again?', {
        do: 'retry_newest',
        object_id: '12345678-p',
      }),
    ],
  ])('%s has its effect or its question (%#)', (action, row, result) => {
    expect(rowAction(row, action)).toEqual(result)
  })

  test('retry repeats the failing delivery of the object, and asks before the newest one if none fails', () => {
    const tables = (status: number) => {
      const row = delivery('d')
      const known = { ...row, lastAttempt: { at: '', ms: 1, status } }
      return { deliveries: new Map([['d', known]]) }
    }
    expect(rowAction(payment(), 'retry', tables(500))).toEqual({ do: 'retry', delivery_id: 'd' })
    expect(rowAction(payment(), 'retry', tables(200))).toMatchObject({
      kind: 'confirm',
      effect: { do: 'retry_newest', object_id: '12345678-p' },
    })
  })

  test('decline and refund open a form of the object', () => {
    const partly = payment({ status: 'succeeded', amount_refunded: 50_000 })
    expect(rowAction(partly, 'refund')).toMatchObject({
      kind: 'form',
      form: { name: 'refund', subject: { id: '12345678-p', remainder: 100_000 }, values: { amount: '1000.00' } },
    })
    for (const [row, pane] of [
      [payment(), 'payments'],
      [payout(), 'payouts'],
    ] as const) {
      expect(rowAction(row, 'decline')).toMatchObject({
        kind: 'form',
        form: { name: 'decline', subject: { id: row.id, pane } },
      })
    }
  })
})
