// After a failed command `psp exec` prints the possible causes in its sandbox.
import { describe, expect, test } from 'vitest'
import { type SandboxData, summarizeFailure } from '../../../src/cli/commands/exec/failure-summary.ts'
import type { AttemptView, DeliveryView, EventView } from '../../../src/client/control-types.ts'
import type { RequestView } from '../../../src/client/request-types.ts'

const NOTHING: SandboxData = {
  events: [],
  deliveries: [],
  requests: [],
  rules: [],
  faults: [],
  waits: [],
  clock: { mode: 'frozen', now: '2026-05-06T12:00:00.000Z', next_due: '2026-05-06T12:00:01.000Z' },
}

const delivery = (...attempts: Partial<AttemptView>[]): DeliveryView => ({
  id: 'dlv_1',
  event_id: 'evt_1',
  event: 'payment.succeeded',
  object_id: 'p',
  shop_id: 's',
  url: 'http://localhost:3000/hooks',
  status: 'waiting',
  attempts: attempts.map((attempt, at) => ({ number: at + 1, at: '', sent_at: '', ms: 1, request: {}, ...attempt })),
})
const request = (status: number, path = '/v1/public/payments', message = 'No.'): RequestView => ({
  method: 'POST',
  path,
  status,
  code: 'some_code',
  ms: 1,
  response: { body: JSON.stringify({ error: { code: 'some_code', message } }) },
})

describe('no possible cause', () => {
  test.each<[string, Partial<SandboxData>]>([
    ['if nothing happened', {}],
    [
      'if all requests and webhooks succeeded and the clock is frozen',
      { deliveries: [delivery({ status: 204 })], requests: [request(201)] },
    ],
    ['if a rule applied', { rules: [{ id: 'rul_1', plan: 'failed', applied: 1 }] }],
  ])('the summary is empty %s', (_, data) => {
    expect(summarizeFailure({ ...NOTHING, ...data })).toEqual([])
  })
})

test('the summary lists rejected webhooks with advice, and merges equal lines', () => {
  const data = summarizeFailure({
    ...NOTHING,
    deliveries: [
      delivery({ status: 400 }, { status: 200 }),
      delivery({ status: 400 }),
      delivery({ status: 302 }),
      delivery({ error: 'Connection refused: nothing listens on 127.0.0.1:9. Is your server running?' }),
      delivery({ status: 400, fault: 'tamper' }),
    ],
  })
  expect(data).toEqual([
    'Possible causes in the sandbox:',
    expect.stringMatching(/^ {2}2 x payment\.succeeded got 400 from http:\/\/localhost:3000\/hooks\. Verify the raw/),
    expect.stringContaining('The service does not follow redirects'),
    expect.stringContaining('payment.succeeded: Connection refused'),
    expect.stringContaining('The fault tamper was applied.'),
    '  The clock is frozen at 2026-05-06T12:00:00.000Z; the next step is due at 2026-05-06T12:00:01.000Z.',
  ])
})

test('the summary merges refused requests that differ only by id, and names the fault that decided', () => {
  const of = (id: string) => `/v1/public/payments/${id}/refund`
  const data = summarizeFailure({
    ...NOTHING,
    requests: [
      { ...request(503), decided_by: 'fault flt_1' },
      request(409, of('3bac26d9-12f0-4d9e-a484-2916c9765aff'), 'Say "when".'),
      request(409, of('b0ed94d0-b536-4d24-9a25-4de8d3e26257'), 'Say "when".'),
    ],
  })
  expect(data.slice(1, 3)).toEqual([
    '  2 x POST /v1/public/payments/{id}/refund returned 409 some_code: Say "when".',
    '  POST /v1/public/payments returned 503 some_code (by fault flt_1): No.',
  ])
})

test.each([
  [7, 9, undefined],
  [8, 10, undefined],
  [9, 10, 2],
  [20, 10, 13],
])('a summary of %d failed requests and a frozen clock has %d lines, and leaves out %s', (count, length, left) => {
  const requests = Array.from({ length: count }, (_, at) => request(400, `/${at}`))
  const lines = summarizeFailure({ ...NOTHING, requests })
  const rest = left === undefined ? [] : [`  and ${left} more: psp exec --report DIR writes everything to files`]
  expect([lines.length, lines.filter((line) => line.startsWith('  and '))]).toEqual([length, rest])
})

test('a failed request without an error object, such as that of a page, is listed with its status', () => {
  const page: RequestView = { method: 'GET', path: '/pay/x', status: 404, ms: 1 }
  expect(summarizeFailure({ ...NOTHING, requests: [page] })[1]).toBe('  GET /pay/x returned 404.')
})

test('the summary lists rules and faults that never applied, with their match', () => {
  const data = summarizeFailure({
    ...NOTHING,
    rules: [{ id: 'rul_1', plan: 'failed', match: { order_id: 'A-1' }, applied: 0 }],
    faults: [{ id: 'flt_1', target: 'webhook', fault: 'drop', applied: 0 }],
  })
  expect(data.slice(1, 3)).toEqual([
    '  Rule rul_1 (failed) never applied: nothing matched order_id=A-1.',
    '  Fault flt_1 (webhook drop) never applied.',
  ])
})

test('the summary begins with waits that timed out', () => {
  const wait = 'payment.succeeded with order_id "A-1" did not happen within 4s500ms.'
  expect(summarizeFailure({ ...NOTHING, requests: [request(400)], waits: [wait, wait] })[1]).toBe(`  2 x ${wait}`)
})

test('the summary has at most ten lines, which are short and without escape sequences', () => {
  const requests = Array.from({ length: 30 }, (_, at) =>
    request(400, `/v1/public/${at}`, `\u001b[31m${'x'.repeat(500)}`),
  )
  const data = summarizeFailure({ ...NOTHING, requests })
  expect(data).toHaveLength(10)
  expect(data.at(-1)).toBe('  and 23 more: psp exec --report DIR writes everything to files')
  expect(Math.max(...data.map((line) => line.length))).toBeLessThanOrEqual(202)
  expect(data.join('')).not.toContain('\u001b')
  expect(summarizeFailure({ ...NOTHING, requests }, Number.POSITIVE_INFINITY)).toHaveLength(32)
})

describe('events without a receiver', () => {
  const event = (id: string, name: EventView['event'] = 'payment.succeeded'): EventView => ({
    id,
    event: name,
    created_at: '2026-05-06T12:00:00.000Z',
    shop_id: 's',
    object_id: 'p',
    data: {},
  })

  test('the summary lists events without a receiver in one line, with advice', () => {
    const events = [event('evt_2'), event('evt_3'), event('evt_4', 'payment.failed')]
    expect(summarizeFailure({ ...NOTHING, events }).at(1)).toBe(
      '  No endpoint receives 2 x payment.succeeded, payment.failed. Add --endpoint URL, or set webhook_url on the payment.',
    )
  })

  test('the summary omits events that have a delivery', () => {
    const events = [event('evt_1')]
    expect(summarizeFailure({ ...NOTHING, events, deliveries: [delivery({ status: 204 })] })).toEqual([])
  })
})
