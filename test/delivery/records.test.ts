// Attempts as they are stored and published, as whole objects.
import { expect, test } from 'vitest'
import { asLateResponse, attemptRecord, DROPPED } from '../../src/delivery/attempt-record.ts'
import { classifyResponse } from '../../src/delivery/classify-response.ts'
import { presentAttempt, presentDeliverySummary, toDeliverySummary } from '../../src/delivery/delivery-summary.ts'
import { duplicateRecord } from '../../src/delivery/duplicates.ts'
import { deliveryFacts, eventFacts, messageFacts } from '../../src/delivery/fault-facts.ts'
import { type ForwardResult, toForwardRequest, toReceiverResponse } from '../../src/delivery/forward-messages.ts'
import { NO_FAULTS, selectFaults } from '../../src/delivery/webhook-faults.ts'
import type { Attempt, Delivery } from '../../src/domain/delivery.ts'
import type { WebhookEvent } from '../../src/domain/events.ts'
import { fixForStatus } from '../../src/domain/remediation.ts'
import type { SandboxTime, WallTime } from '../../src/domain/time.ts'
import type { World } from '../../src/engine/world.ts'
import { MAX_STORED_BYTES } from '../../src/receiver-client/response-body.ts'

const AT = Date.UTC(2026, 4, 6, 12) as SandboxTime
const WALL = Date.UTC(2026, 0, 1) as WallTime
const sent = { number: 1, at: AT, sent_at: WALL, ms: 3, request_headers: [] }

const delivery: Delivery = {
  id: 'dlv_1',
  event_id: 'evt_1',
  event: 'payment.succeeded',
  object_id: 'pay_1',
  merchant_id: 'mrc_1',
  shop_id: 'shp_1',
  endpoint_id: 'we_1',
  url: 'http://127.0.0.1:9/hook',
  status: 'waiting',
  created_at: AT,
  next_attempt_at: (AT + 10_000) as SandboxTime,
  attempts: [],
}

const failed = (status: number, location = '') => ({
  delivered: false,
  error: `The receiver responded ${status}${location}. ${fixForStatus(status)}`,
})

test.each([
  [
    { status: 200, error: 'The connection broke.' },
    { delivered: false, error: 'The connection broke.' },
  ],
  [{}, { delivered: false, error: 'There was no response.' }],
  [{ status: 199 }, failed(199)],
  [{ status: 200 }, { delivered: true }],
  [{ status: 299 }, { delivered: true }],
  [{ status: 300 }, failed(300)],
  [
    {
      status: 302,
      headers: [
        ['X-A', 'b'],
        ['LOCATION', '/new'],
      ] as const,
    },
    failed(302, ' (redirect to /new)'),
  ],
  [
    { status: 399, headers: [['Location', 'x'.repeat(201)]] as const },
    failed(399, ` (redirect to ${'x'.repeat(200)})`),
  ],
  [{ status: 400, headers: [['Location', '/new']] as const }, failed(400)],
  [{ status: 500 }, failed(500)],
])('the response %j has the result %j', (response, result) => {
  expect(classifyResponse(response)).toEqual(result)
})

test('the record of an attempt contains the faults, the changed body and the copies only if there are any', () => {
  const prepared = { headers: [['A', 'b']] as const, body: Buffer.from('{}'), changed: false }
  const response = { status: 200, headers: [['C', 'd']] as const, body: { text: 'ok' } }
  const plain = { number: 1, at: AT, sent_at: WALL, ms: 2, status: 200, request_headers: [['A', 'b']] }
  const recorded = { response_headers: [['C', 'd']], response_body: { text: 'ok' } }
  const record = (more: object, attempts: Delivery['attempts'] = [], error?: string) =>
    attemptRecord({ attempts }, AT, { prepared, response, faults: NO_FAULTS, sent_at: WALL, ms: 1.5, ...more }, error)
  expect(record({})).toStrictEqual({ ...plain, ...recorded })
  const faults = selectFaults([
    { id: 'flt_1', fault: 'tamper' },
    { id: 'flt_2', fault: 'stale:10m' },
  ])
  const copies = [
    { sent_at: WALL, ms: 1.4, response: { status: 500, ms: 2.6, headers: [], body: { text: 'x'.repeat(2049) } } },
    { sent_at: WALL, ms: 1.4, response: 'disconnected' as const },
  ]
  expect(record({ prepared: { ...prepared, changed: true }, faults, copies, ms: 1.4 }, [sent], 'why')).toStrictEqual({
    ...plain,
    ...recorded,
    number: 2,
    ms: 1,
    error: 'why',
    fault: 'tamper, stale:10m',
    fault_ids: ['flt_1', 'flt_2'],
    request_body: { text: '{}' },
    copies: [
      {
        sent_at: WALL,
        ms: 3,
        status: 500,
        error: failed(500).error,
        response_headers: [],
        response_body: { text: 'x'.repeat(2048), truncated: true },
      },
      { sent_at: WALL, ms: 1, error: 'The listener disconnected before it reported a result.' },
    ],
  })
})

test('an attempt is recorded as manual if it was started during the schedule or after it', () => {
  const response = { status: 200 }
  const prepared = { headers: [], body: Buffer.from('{}'), changed: false }
  const made = { prepared, response, faults: NO_FAULTS, sent_at: WALL, ms: 1 }
  const record = (more: Partial<Delivery>) => attemptRecord({ attempts: [], ...more }, AT, made, undefined).manual
  expect([record({}), record({ attempts: [sent] }), record({ no_retries: true })]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect([record({ resume_at: AT }), record({ no_retries: true, attempts: [sent] })]).toEqual([true, true])
})

test('a copy without a body or its duration has the measured time', () => {
  const copy = { sent_at: WALL, ms: 2.5, response: { status: 204 } }
  expect(duplicateRecord(copy)).toStrictEqual({ sent_at: WALL, ms: 3, status: 204 })
})

test('a late response keeps an error that it already has, and otherwise gets the error of the fault', () => {
  expect(DROPPED).toEqual({ error: 'Not sent: the fault drop suppressed it.' })
  expect(asLateResponse(DROPPED)).toBe(DROPPED)
  expect(asLateResponse({ status: 200, ms: 3 })).toEqual({
    status: 200,
    ms: 3,
    error: 'The fault late_response counts this response (200) as received after the deadline.',
  })
})

test('a listener gets the whole request, with the attempts of the retry schedule', () => {
  const prepared = { headers: [['A', 'b']] as const, body: Buffer.from('xЖx').subarray(1, 3), changed: false }
  const settings = { webhook_retries: [1, 2], webhook_timeout: 15_000 }
  const forward = (more: Partial<Delivery>) => toForwardRequest({ ...delivery, ...more }, prepared, settings, 4)
  const whole = {
    delivery_id: 'dlv_1',
    event: 'payment.succeeded',
    event_id: 'evt_1',
    object_id: 'pay_1',
    url: 'http://127.0.0.1:9/hook',
    headers: [['A', 'b']],
    body_b64: Buffer.from('Ж').toString('base64'),
    attempt: 1,
    attempts_total: 3,
    due_at: '2026-05-06T12:00:10.000Z',
    timeout_ms: 15_000,
    generation: 4,
  }
  expect(forward({})).toStrictEqual(whole)
  expect(forward({ no_retries: true })).toStrictEqual({ ...whole, attempts_total: 1 })
  expect(forward({ replay: true })).toStrictEqual({ ...whole, replay: true })
  const { next_attempt_at, ...manual } = delivery
  const request = toForwardRequest({ ...manual, attempts: [sent, sent, sent] }, prepared, settings, 4)
  expect(request).toStrictEqual({ ...whole, attempt: 4, attempts_total: 4, due_at: '2026-05-06T12:00:00.000Z' })
  const more = { attempts: [sent, { ...sent, number: 2, manual: true as const }], resume_at: AT }
  expect(forward(more)).toMatchObject({ attempt: 3, attempts_total: 5 })
})

const longest = 'x'.repeat(MAX_STORED_BYTES)

test.each<[Partial<ForwardResult>, object]>([
  [{}, {}],
  [
    { status: 204, response_headers: [['A', 'b']] },
    { status: 204, headers: [['A', 'b']] },
  ],
  [{ error: 'refused', response_body: '' }, { error: 'refused' }],
  [{ response_body: 'Ж' }, { body: { text: 'Ж' } }],
  [{ response_body_b64: '/w==' }, { body: { b64: '/w==' } }],
  [{ response_body: 'a', response_body_b64: '/w==' }, { body: { text: 'a' } }],
  [{ response_body: 'a', response_truncated: true }, { body: { text: 'a', truncated: true } }],
  [{ response_body: 'a', response_truncated: false }, { body: { text: 'a' } }],
  [{ response_body_b64: 'Y2Fm6Q==', response_truncated: true }, { body: { text: 'caf', truncated: true } }],
  [
    {
      response_body_b64: 'Y2Fm6Q==',
      response_truncated: true,
      response_headers: [['Content-Type', 'text/plain; charset=iso-8859-1']],
    },
    {
      headers: [['Content-Type', 'text/plain; charset=iso-8859-1']],
      body: { b64: 'Y2Fm6Q==', truncated: true },
    },
  ],
  [{ response_body: longest }, { body: { text: longest } }],
  [{ response_body: `${longest}y` }, { body: { text: longest, truncated: true } }],
  [{ response_note: 'why' }, { body: { text: '', note: 'why' } }],
  [{ response_body: 'a', response_note: 'why' }, { body: { text: 'a', note: 'why' } }],
])('the result of a listener becomes the response of a receiver (%#)', (result, response) => {
  expect(toReceiverResponse({ delivery_id: 'dlv_1', ms: 5, ...result })).toStrictEqual({ ms: 5, ...response })
})

test('a delivery summary contains the delivery and its newest attempt, without headers and bodies', () => {
  const look = { webhook_retries: [1, 2] }
  const summary = {
    id: 'dlv_1',
    event_id: 'evt_1',
    event: 'payment.succeeded',
    object_id: 'pay_1',
    shop_id: 'shp_1',
    endpoint_id: 'we_1',
    url: 'http://127.0.0.1:9/hook',
    status: 'waiting',
    next_attempt_at: '2026-05-06T12:00:10.000Z',
    attempts_made: 0,
    attempts_total: 3,
  }
  const first = toDeliverySummary(delivery)
  expect(presentDeliverySummary(first, look)).toStrictEqual(summary)
  expect(first.attempt).toBeUndefined()

  const { next_attempt_at, ...over } = delivery
  const newest = { ...sent, number: 2, status: 500, error: 'why', fault: 'drop', response_body: { text: 'x' } }
  const second = toDeliverySummary({ ...over, no_retries: true, attempts: [sent, newest] })
  expect(presentDeliverySummary(second, look)).toStrictEqual({
    ...summary,
    next_attempt_at: undefined,
    attempts_made: 2,
    attempts_total: 2,
  })
  expect(presentAttempt(second.attempt as Attempt)).toStrictEqual({
    number: 2,
    at: '2026-05-06T12:00:00.000Z',
    sent_at: '2026-01-01T00:00:00.000Z',
    ms: 3,
    status: 500,
    error: 'why',
    manual: undefined,
    fault: 'drop',
  })

  const manual = toDeliverySummary({ ...over, attempts: [sent, { ...sent, number: 2, manual: true }] })
  expect([presentDeliverySummary(manual, look).attempts_total, manual.attempt?.manual]).toEqual([4, true])
})

test('faults match the facts of the message and of its object', () => {
  const payment = { amount: 5, currency: 'RUB', method: 'sbp', status: 'refunded', shop_id: 'shp_1', metadata: {} }
  const payout = { ...payment, status: 'pending', recipient: { phone: '+7', bank_id: '1' } }
  const rows: Record<string, object> = { 'payments pay_1': payment, 'payouts out_1': payout }
  const world = { get: (table: string, id: string) => rows[`${table} ${id}`] } as unknown as World
  const about = { amount: 5, currency: 'RUB', payment_method: 'sbp', shop_id: 'shp_1', metadata: {} }
  const event = { body: '{"data":{"status":"succeeded"}}' } as WebhookEvent
  expect(deliveryFacts(world, { ...delivery, attempts: [sent] }, event)).toEqual({
    ...about,
    event: 'payment.succeeded',
    method: 'POST',
    operation: 'payment',
    status: 'succeeded',
    delivery_id: 'dlv_1',
    event_id: 'evt_1',
    object_id: 'pay_1',
    endpoint_id: 'we_1',
    url: 'http://127.0.0.1:9/hook',
    attempt: 2,
  })
  const facts = (body: string) => deliveryFacts(world, delivery, { body } as WebhookEvent)['status']
  expect(facts('{}')).toBeUndefined()

  const message = (payload: object) =>
    messageFacts(world, { kind: 'refund.created', shop_id: 'shp_1', mode: 'test', at: AT, payload: payload as never })
  const refund = { ...about, status: 'pending', kind: 'refund.created', object_id: 'ref_1' }
  expect(message({ id: 'ref_1', payment_id: 'pay_1', status: 'pending' })).toEqual(refund)
  expect(message({ id: 'out_1', status: 'failed' })).toEqual({
    amount: 5,
    currency: 'RUB',
    payment_method: 'sbp',
    phone: '+7',
    bank_id: '1',
    status: 'failed',
    kind: 'refund.created',
    shop_id: 'shp_1',
    object_id: 'out_1',
  })
  expect(message({ id: 'none', status: 'x' })).toEqual({
    status: 'x',
    kind: 'refund.created',
    shop_id: 'shp_1',
    object_id: 'none',
  })
})

test.each([
  ['payment.refunded', 'refund'],
  ['payment.succeeded', 'payment'],
  ['payout.failed', 'payout'],
])('the event %s belongs to the operation %s', (event, operation) => {
  expect(eventFacts(event)).toEqual({ event, method: 'POST', operation })
})

test('an attempt without faults is not changed, and an unknown fault is ignored', () => {
  const nothing = {
    names: [],
    ids: [],
    skew: 0,
    tamper: false,
    wrong_secret: false,
    v1_only: false,
    unsigned: false,
    unknown_event: false,
    reserialised: false,
    drop: false,
    hold: false,
    duplicate: 0,
    delay: 0,
    reorder: false,
    late_response: false,
    before_response: false,
  }
  expect(NO_FAULTS).toEqual(nothing)
  expect(selectFaults([])).toBe(NO_FAULTS)
  const faults = selectFaults(
    ['future:1h', 'unknown', 'delay:2s', 'delay:9s', 'stale:10m'].map((fault, i) => ({ id: `flt_${i}`, fault })),
  )
  expect(faults).toEqual({
    ...nothing,
    names: ['future:1h', 'delay:2s', 'stale:10m'],
    ids: ['flt_0', 'flt_2', 'flt_4'],
    skew: 3_000_000,
    delay: 2000,
  })
})
