import { describe, expect, it, test } from 'vitest'
import type { AttemptView, DeliveryView } from '../../src/client/control-types.ts'
import { actOnRows } from '../../src/view-model/actions/act-on-rows.ts'
import { curlText, verifyText } from '../../src/view-model/actions/copy-text.ts'
import { compareAttempts } from '../../src/view-model/detail/compare-attempts.ts'
import { submitForm } from '../../src/view-model/forms/submit-form.ts'
import type { Detail } from '../../src/view-model/model.ts'
import type { DeliveryRow, PaymentRow, PayoutRow } from '../../src/view-model/rows/rows.ts'
import { healthText, webhookHealth } from '../../src/view-model/rows/webhook-health.ts'
import { createPayment, createPayout } from '../tui/fixtures.ts'

const row = (id: string, fields: Parameters<typeof createPayment>[1] = {}): PaymentRow => ({
  id,
  payment: createPayment(id, fields),
  steps: [],
  lastMessageId: 0,
})

const payoutRow = (id: string, fields: Parameters<typeof createPayout>[1] = {}): PayoutRow => ({
  id,
  payout: createPayout(id, fields),
  steps: [],
  lastMessageId: 0,
})

const delivery = (id: string, fields: Partial<DeliveryRow> = {}): DeliveryRow => ({
  id,
  event: 'payment.succeeded',
  event_id: `evt_${id}`,
  object_id: 'p1',
  url: 'http://x/',
  target: `${fields.event_id ?? `evt_${id}`} http://x/`,
  replay: false,
  edited: false,
  status: 'waiting',
  next_attempt_at: '2026-05-06T12:00:09.000Z',
  attemptsMade: 1,
  attemptsTotal: 9,
  lastAttempt: { at: '2026-05-06T12:00:00.000Z', ms: 5, status: 500 },
  lastMessageId: 0,
  ...fields,
})

const tableOf = (...rows: readonly DeliveryRow[]) => ({ deliveries: new Map(rows.map((each) => [each.id, each])) })
const NO_DELIVERIES = tableOf()

describe('an action on several rows', () => {
  it('asks once with the sum of each currency, and skips rows that do not allow it', () => {
    const rows = [row('a'), row('b', { currency: 'KZT', amount: 200 }), row('c', { status: 'failed' })]
    expect(actOnRows(rows, 'pay', 'payments', NO_DELIVERIES)).toEqual({
      kind: 'confirm',
      question: 'Pay 2 payments, 1 500.00 RUB and 2.00 KZT? 1 other does not allow it.',
      effect: {
        do: 'each',
        calls: [
          { do: 'pay', id: 'a' },
          { do: 'pay', id: 'b' },
        ],
      },
    })
  })

  it('declines all with one code', () => {
    const dialog = actOnRows([row('a'), row('b')], 'decline', 'payments', NO_DELIVERIES)
    expect(dialog).toMatchObject({ kind: 'form', form: { title: 'Decline 2 payments, 3 000.00 RUB.' } })
    const form = 'form' in dialog ? dialog.form : undefined
    expect(form && submitForm(form)).toEqual({
      effect: {
        do: 'each',
        calls: ['a', 'b'].map((id) => ({ do: 'decline', id, code: 'insufficient_funds' })),
      },
    })
  })

  it('attempts the failing delivery of each payment again', () => {
    const rows = [row('p1', { status: 'succeeded' }), row('p2', { status: 'succeeded' })]
    const result = actOnRows(rows, 'retry', 'payments', tableOf(delivery('d1')))
    expect(result).toMatchObject({
      effect: {
        calls: [
          { do: 'retry', delivery_id: 'd1' },
          { do: 'retry_newest', object_id: 'p2' },
        ],
      },
    })
  })

  it('says why none of several rows allows the action, with the number of rows in each status', () => {
    const rows = [row('a', { status: 'succeeded' }), row('b', { status: 'failed' }), row('c', { status: 'succeeded' })]
    const problemOf = (action: 'pay' | 'cancel' | 'decline') => actOnRows(rows, action, 'payments', NO_DELIVERIES)
    const statuses = '2 succeeded, 1 failed.'
    expect(problemOf('pay')).toEqual({ problem: { text: `None of the 3 marked payments can be paid: ${statuses}` } })
    expect(problemOf('cancel')).toEqual({
      problem: { text: `None of the 3 marked payments can be cancelled: ${statuses}` },
    })
    expect(problemOf('decline')).toEqual({
      problem: { text: `None of the 3 marked payments can be declined: ${statuses}` },
    })
    expect(actOnRows([row('a'), row('b')], 'retry', 'payments', NO_DELIVERIES)).toEqual({
      problem: { text: 'None of the 2 marked payments has a webhook yet: 2 pending.' },
    })
    expect(actOnRows([delivery('d1'), delivery('d2')], 'pay', 'deliveries', NO_DELIVERIES)).toEqual({
      problem: { text: 'This action does nothing in the deliveries pane.', remedy: 'show_payments' },
    })
  })

  it('says why none of several payouts allows the action', () => {
    const rows = [payoutRow('a', { status: 'succeeded' }), payoutRow('b', { status: 'failed' })]
    const problemOf = (action: 'pay' | 'decline' | 'cancel') => actOnRows(rows, action, 'payouts', NO_DELIVERIES)
    const statuses = '1 succeeded, 1 failed.'
    expect(problemOf('pay')).toEqual({ problem: { text: `None of the 2 marked payouts can be paid: ${statuses}` } })
    expect(problemOf('decline')).toEqual({
      problem: { text: `None of the 2 marked payouts can be declined: ${statuses}` },
    })
    expect(problemOf('cancel')).toEqual({
      problem: { text: 'This action is for payments only.', remedy: 'show_payments' },
    })
  })

  it('counts thousands of rows with separators', () => {
    const rows = Array.from({ length: 1200 }, (_, index) => row(`p${index}`))
    expect(actOnRows(rows, 'pay', 'payments', NO_DELIVERIES)).toMatchObject({ question: /^Pay 1,200 payments,/ })
  })

  it('says why no row allows it', () => {
    expect(actOnRows([row('a', { status: 'failed' })], 'pay', 'payments', NO_DELIVERIES)).toEqual({
      problem: { text: 'The payment is already failed.', remedy: 'create' },
    })
    expect(actOnRows([row('a')], 'refund', 'payments', NO_DELIVERIES)).toMatchObject({
      problem: { text: 'This action works on one row.', remedy: 'clear_marks' },
    })
  })
})

describe('the health of webhooks', () => {
  const until = () => 'in 9 s'

  it.each([
    [{}, '500, retry in 9 s', 1],
    [{ status: 'exhausted' as const }, '500, gave up', 1],
    [{ status: 'delivered' as const, lastAttempt: { at: '', ms: 1, status: 200 } }, '200', 0],
    [{ attemptsMade: 0, lastAttempt: undefined }, 'waiting', 0],
    [{ lastAttempt: { at: '', ms: 1, error: 'refused' } }, 'error, retry in 9 s', 1],
  ])('is shown for a delivery with %j as %j', (fields, text, failing) => {
    const health = webhookHealth(tableOf(delivery('d1', fields)))
    const shown = health.byObject.get('p1')
    expect(shown && healthText(shown, until)).toBe(text)
    expect(health.failing).toHaveLength(failing)
  })

  it('shows the failing delivery of an object, and forgets a failure that a later delivery replaced', () => {
    const fine = delivery('d2', { status: 'delivered', lastAttempt: { at: '', ms: 1, status: 200 } })
    expect(webhookHealth(tableOf(delivery('d1'), fine)).byObject.get('p1')?.id).toBe('d1')
    const replaced = tableOf(
      delivery('d1'),
      delivery('d2', { ...fine, event_id: 'evt_d1', target: 'evt_d1 http://x/' }),
    )
    expect(webhookHealth(replaced).failing).toEqual([])
    expect(webhookHealth(replaced).byObject.get('p1')?.id).toBe('d2')
  })
})

it('an edited delivery neither fails nor replaces a failing one in the health of webhooks', () => {
  const edited = delivery('d2', { event_id: 'evt_d1', edited: true })
  expect(webhookHealth(tableOf(edited))).toEqual({ byObject: new Map(), failing: [] })
  const fine = { ...edited, status: 'delivered' as const, lastAttempt: { at: '', ms: 1, status: 200 } }
  const health = webhookHealth(tableOf(delivery('d1'), fine))
  expect([health.byObject.get('p1')?.id, health.failing.map(({ id }) => id)]).toEqual(['d1', ['d1']])
})

const attempt = (number: number, fields: Partial<AttemptView> = {}): AttemptView => ({
  number,
  at: '2026-05-06T12:00:00.000Z',
  sent_at: '2026-05-06T12:00:00.000Z',
  ms: 5,
  status: 500,
  request: {
    headers: [
      ['Content-Type', 'application/json'],
      ['X-PSP-Signature', `t=${number}`],
      ['Content-Length', '9'],
    ],
    body: `{"a":"it's"}`,
  },
  response: { headers: [], body: 'no' },
  ...fields,
})
const VIEW = {
  id: 'dlv_1',
  event: 'payment.succeeded',
  url: 'http://127.0.0.1:3000/hooks?a=1&b=2',
  attempts: [attempt(1), attempt(2, { status: 200, response: { headers: [], body: 'ok' } })],
} as unknown as DeliveryView
const DETAIL: Detail = {
  pane: 'deliveries',
  id: 'dlv_1',
  loading: false,
  events: [],
  deliveries: [VIEW],
  request: undefined,
  problem: undefined,
}

test('the newest attempt is copied as a curl command that is quoted for a shell', () => {
  expect(curlText(DETAIL, 'http://127.0.0.1:7770')).toBe(
    String.raw`curl -X POST 'http://127.0.0.1:3000/hooks?a=1&b=2' -H 'Content-Type: application/json' -H 'X-PSP-Signature: t=2' --data-binary '{"a":"it'\''s"}'`,
  )
  expect(verifyText(DETAIL)).toBe('psp verify --delivery dlv_1 --explain')
  expect(curlText({ ...DETAIL, deliveries: [] }, '')).toBeUndefined()
})

test('a request is copied as a curl command to the server', () => {
  const request = { method: 'GET', path: '/v1/public/payments/x', status: 200, ms: 1, request: { headers: { A: 'b' } } }
  expect(curlText({ ...DETAIL, deliveries: [], request }, 'http://127.0.0.1:7770/')).toBe(
    "curl -X GET http://127.0.0.1:7770/v1/public/payments/x -H 'A: b'",
  )
})

test('a comparison of two attempts shows the values that differ and names the equal ones', () => {
  const lines = compareAttempts(VIEW)?.blocks.flatMap((block) =>
    block.kind === 'lines' ? block.lines.map((line) => line.map(({ text }) => text).join(' ')) : [],
  )
  expect(lines).toEqual(
    expect.arrayContaining([
      '- result 500',
      '+ result 200',
      '- x-psp-signature t=1',
      '+ x-psp-signature t=2',
      '  content-type equal',
      '- body no',
      '+ body ok',
    ]),
  )
  expect(compareAttempts({ ...VIEW, attempts: [attempt(1)] })).toBeUndefined()
})
