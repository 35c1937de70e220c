// The details of webhooks as data: events, deliveries, attempts and their comparison.
import { describe, expect, test } from 'vitest'
import type { AttemptView, DeliveryView, EventView } from '../../src/client/control-types.ts'
import type { AttemptBlock } from '../../src/view-model/detail/blocks.ts'
import { compareAttempts, compareBlocks } from '../../src/view-model/detail/compare-attempts.ts'
import { attemptBlock, describeDelivery, webhooksBlock } from '../../src/view-model/detail/webhooks.ts'
import { deliveryRow } from '../../src/view-model/rows/rows.ts'
import { LOADED_DETAIL } from '../tui/fixtures.ts'

const AT = '2026-05-06T12:00:00.000Z'

describe('webhooks', () => {
  const attempt = { number: 1, at: AT, ms: 5, status: 200, request: { body: '{}' } } as unknown as AttemptView
  const delivery = (id: string, event_id: string) =>
    ({
      id,
      event_id,
      event: 'payment.failed',
      url: 'http://a/',
      status: 'waiting',
      attempts: [],
    }) as unknown as DeliveryView

  test('are listed by event, and both the oldest first', () => {
    const events = ['e2', 'e1'].map((id) => ({ id, event: 'payment.failed', created_at: AT }) as EventView)
    const block = webhooksBlock({
      ...LOADED_DETAIL,
      loading: true,
      events,
      deliveries: [delivery('d3', 'e1'), delivery('d2', 'e2'), delivery('d1', 'e1')],
    })
    expect(block).toMatchObject({ kind: 'webhooks', title: 'Webhooks', loading: true })
    expect(
      block.kind === 'webhooks' && block.events.map(({ id, deliveries }) => [id, ...deliveries.map((d) => d.id)]),
    ).toEqual([
      ['e1', 'd1', 'd3'],
      ['e2', 'd2'],
    ])
    expect(block.kind === 'webhooks' && block.events[0]).toEqual({
      id: 'e1',
      event: 'payment.failed',
      at: AT,
      deliveries: ['d1', 'd3'].map((id) => ({
        id,
        url: 'http://a/',
        mark: undefined,
        status: 'waiting',
        tone: 'warning',
        nextAttemptAt: undefined,
        attempts: [],
      })),
    })
  })

  test('a replay and an edited replay have a mark', () => {
    const deliveries = [{ replay: true }, { replay: true, edited: true }, {}].map((fields, at) => ({
      ...delivery(`d${at}`, 'e1'),
      ...fields,
    })) as DeliveryView[]
    const events = [{ id: 'e1', event: 'payment.failed', created_at: AT } as EventView]
    const block = webhooksBlock({ ...LOADED_DETAIL, events, deliveries })
    const marks = block.kind === 'webhooks' && block.events[0]?.deliveries.map(({ mark }) => mark)
    expect(marks).toEqual([undefined, 'edited', 'replay'])
    const summaries = deliveries.map(
      (fields) =>
        describeDelivery(deliveryRow({ ...fields, attempts_made: 0 }, undefined, 1), LOADED_DETAIL).summary[1],
    )
    expect(summaries).toEqual([
      { text: 'replay', tone: 'dim' },
      { text: 'edited', tone: 'warning' },
      { text: 'http://a/', tone: 'plain' },
    ])
  })

  test('have an error next to the status only if there are both', () => {
    const block = (fields: object) => {
      const { result, tone, error } = attemptBlock({ ...attempt, ...fields } as AttemptView, 'd1')
      return [result, tone, error]
    }
    expect(block({})).toEqual(['200', 'success', undefined])
    expect(block({ error: 'late' })).toEqual(['200', 'success', 'late'])
    expect(block({ status: undefined, error: 'closed' })).toEqual(['closed', 'failure', undefined])
  })

  test('have attempts with every field', () => {
    const headers = { 'Content-Type': 'text/plain' }
    expect(
      attemptBlock(
        {
          ...attempt,
          manual: true,
          fault: 'stale:10m',
          response: { headers, body_b64: 'gA==', note: 'cut' },
        } as unknown as AttemptView,
        'd1',
      ),
    ).toEqual({
      deliveryId: 'd1',
      number: 1,
      at: AT,
      result: '200',
      tone: 'success',
      ms: 5,
      isManual: true,
      error: undefined,
      fault: 'stale:10m',
      request: { headers: [], body: { text: '{}', isBase64: false }, note: undefined },
      response: { headers: [['Content-Type', 'text/plain']], body: { text: 'gA==', isBase64: true }, note: 'cut' },
    })
  })

  test('a delivery has its attempts, or says that they are loading or lost', () => {
    const fields = { object_id: 'p1', edited: true, next_attempt_at: AT, attempts_made: 1, attempts_total: 9 }
    const row = deliveryRow({ ...delivery('d1', 'e1'), ...fields } as never, undefined, 1)
    const view = describeDelivery(row, {
      ...LOADED_DETAIL,
      deliveries: [{ ...delivery('d1', 'e1'), attempts: [attempt] }],
    })
    expect(view).toMatchObject({
      title: 'payment.failed',
      note: 'e1',
      summary: [
        { text: 'waiting', tone: 'warning', isStatus: true },
        { text: 'edited', tone: 'warning' },
        { text: 'http://a/', tone: 'plain' },
      ],
      blocks: [
        {
          title: 'Fields',
          rows: [
            { label: 'delivery', value: 'd1' },
            { label: 'object', value: 'p1' },
            { label: 'attempts', value: '1 of at most 9' },
            { label: 'next', value: '2026-05-06 12:00:00' },
          ],
        },
        { kind: 'attempts', title: 'Attempts', attempts: [{ deliveryId: 'd1' }], missing: undefined },
      ],
    })
    const missing = (loading: boolean) => describeDelivery(row, { ...LOADED_DETAIL, loading }).blocks[1]
    expect([missing(true), missing(false)]).toMatchObject([
      { attempts: [], missing: 'loading' },
      { attempts: [], missing: 'lost' },
    ])
    const { rows } = describeDelivery({ ...row, attemptsTotal: undefined, next_attempt_at: undefined }, LOADED_DETAIL)
      .blocks[0] as unknown as { rows: { label: string; value: string }[] }
    expect(rows.map(({ value }) => value)).toEqual(['d1', 'p1', '1'])
  })
})

describe('two attempts', () => {
  const block = (fields: Partial<AttemptBlock>): AttemptBlock => ({
    ...attemptBlock({ number: 1, at: AT, ms: 5, status: 200, request: {} } as unknown as AttemptView, 'd1'),
    ...fields,
  })
  const message = (headers: [string, string][], text: string) => ({
    headers,
    body: { text, isBase64: false },
    note: undefined,
  })
  const texts = (blocks: ReturnType<typeof compareBlocks>) =>
    blocks.map((each) =>
      each.kind === 'lines' ? [each.title, ...each.lines.map((line) => line.map(({ text }) => text).join(' '))] : [],
    )

  test('are compared by result, request and response', () => {
    const before = block({
      request: message(
        [
          ['A', '1'],
          ['B', 'x'],
          ['b', 'y'],
        ],
        'one',
      ),
    })
    const after = block({
      result: '500',
      error: 'late',
      fault: 'stale:10m',
      ms: 5,
      request: message(
        [
          ['a', '1'],
          ['C', '3'],
        ],
        'two',
      ),
    })
    expect(texts(compareBlocks(before, after))).toEqual([
      [
        'Result',
        '  at equal',
        '- result 200',
        '+ result 500  late',
        '  took equal',
        '- fault (none)',
        '+ fault stale:10m',
      ],
      ['Request', '  a equal', '- b x, y', '+ b (none)', '- c (none)', '+ c 3', '- body one', '+ body two'],
      ['Response', 'nothing'],
    ])
  })

  test('are the last two of a delivery', () => {
    const attempts = [1, 2, 3].map((number) => ({ number, at: AT, ms: 1, status: 200, request: {} }))
    const made = (count: number) =>
      compareAttempts({
        event: 'payment.failed',
        id: 'd1',
        attempts: attempts.slice(0, count),
      } as unknown as DeliveryView)
    expect(made(3)).toMatchObject({ title: 'Attempts 2 and 3 of payment.failed', note: 'd1', summary: [] })
    expect(made(1)).toBeUndefined()
  })
})
