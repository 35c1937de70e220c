// One attempt, without a dispatcher around it: what it waits for, and what becomes of its result.
import { beforeEach, describe, expect, test } from 'vitest'
import { type AttemptSender, createAttemptSender } from '../../src/delivery/attempt-sender.ts'
import { createDeferredAttempts, type DeferredAttempts } from '../../src/delivery/deferred-attempts.ts'
import type { DispatcherPorts } from '../../src/delivery/dispatcher-types.ts'
import { NO_FAULTS, selectFaults } from '../../src/delivery/webhook-faults.ts'
import type { Delivery } from '../../src/domain/delivery.ts'
import { RefusalError, refuse } from '../../src/domain/errors.ts'
import { deferred } from '../../src/domain/promises.ts'
import type { ReceiverResponse } from '../../src/receiver-client/transport.ts'
import { readSettings } from '../../src/settings.ts'
import { manualSystemClock } from '../time/manual-system-clock.ts'

const NOW = 1_000_000
const WALL = Date.UTC(2026, 0, 1)
const clock = manualSystemClock(WALL)
const tamper = selectFaults([{ id: 'flt_1', fault: 'tamper' }])

let delivery: Delivery | undefined
const DEFECT = new TypeError('a defect')
let listener: boolean
let connected: boolean
let written: Promise<void> | undefined
let sent: string[]
let parked: string[][]
let responses: (() => Promise<ReceiverResponse>)[]
let executed: unknown[][]
let executeError: unknown
let internalErrors: unknown[]
let held: DeferredAttempts
let attempts: AttemptSender
beforeEach(() => {
  delivery = {
    id: 'd',
    event_id: 'e',
    event: 'payment.succeeded',
    object_id: 'p',
    shop_id: 's',
    endpoint_id: 'we',
    url: 'http://127.0.0.1:9/x',
    status: 'waiting',
    created_at: NOW,
    attempts: [],
  } as unknown as Delivery
  listener = false
  connected = true
  written = undefined
  sent = []
  parked = []
  responses = [async () => ({ status: 200 })]
  executed = []
  executeError = undefined
  internalErrors = []
  const rows: Record<string, () => unknown> = {
    deliveries: () => delivery,
    events: () => ({ id: 'e', body: '{"data":{"amount":1}}' }),
    shops: () => ({ id: 's', webhook_secret: 'whs_x' }),
    endpoints: () => ({ id: 'we', secret: 'whs_y', ...(listener && { listener: true }) }),
  }
  const world = { settings: readSettings({}), get: (table: string) => rows[table]?.(), size: () => 0 }
  const engine = {
    world,
    generation: 1,
    written: () => written,
    execute(...command: unknown[]) {
      executed.push(command)
      if (executeError !== undefined) throw executeError
    },
  }
  const send = (url: string) => {
    sent.push(url)
    return responses.length > 1 ? responses.shift()?.() : responses[0]?.()
  }
  const ports = {
    engine,
    transport: ({ url }: { url: string }) => send(url),
    systemClock: clock,
    now: () => NOW,
    scheduleAttempt() {},
    onInternalError: (error: unknown) => void internalErrors.push(error),
    listeners: {
      isConnected: () => connected,
      park: (...call: string[]) => void parked.push(call),
      send: (id: string) => send(id),
    },
  } as unknown as DispatcherPorts
  held = createDeferredAttempts(ports)
  attempts = createAttemptSender(ports, held)
})

const make = (abandoned = () => false) => attempts.make('d', abandoned)
const recorded = () =>
  executed.map(([name, input]) => [name, input]) as [string, { attempt: object; delivered: boolean }][]

describe('an attempt', () => {
  test('is sent when its commit is written, and not if it was abandoned by then', async () => {
    const write = deferred()
    written = write.promise
    let isOver = false
    const both = [make(), make(() => isOver)]
    await clock.advance(0)
    expect(sent).toEqual([])
    isOver = true
    write.resolve()
    await Promise.all(both)
    expect(sent).toEqual(['http://127.0.0.1:9/x'])
  })

  test.each([
    ['keeps the faults of a deferred attempt', tamper],
    ['has no faults to keep', undefined],
  ])('is not sent if its commit cannot be written, and %s', async (_, faults) => {
    const error = new Error('disk full')
    written = Promise.reject(error)
    if (faults !== undefined) held.saveFaults('d', faults)
    await expect(make()).rejects.toBe(error)
    expect([sent, executed, held.takeFaults('d')]).toEqual([[], [], faults])
  })

  test('has the due time, the system time and the duration in its record', async () => {
    responses = [
      async () => {
        await clock.advance(30)
        return { status: 204 }
      },
    ]
    const sent_at = clock.now()
    await make()
    expect(recorded()).toEqual([
      [
        'record_attempt',
        {
          delivery_id: 'd',
          delivered: true,
          attempt: { number: 1, at: NOW, sent_at, ms: 30, status: 204, request_headers: expect.any(Array) },
        },
      ],
    ])
    executed = []
    delivery = { ...(delivery as Delivery), next_attempt_at: (NOW + 5) as never }
    responses = [async () => ({ status: 204, ms: 7.4 })]
    await make()
    expect(recorded()[0]?.[1].attempt).toMatchObject({ at: NOW + 5, ms: 7 })
  })

  test('has the duration of its first copy if the fault `duplicate` sends further copies that take longer', async () => {
    held.saveFaults('d', selectFaults([{ id: 'flt_1', fault: 'duplicate:1' }]))
    const second = deferred<ReceiverResponse>()
    responses = [async () => ({ status: 200 }), () => second.promise]
    const made = make()
    await clock.advance(40)
    second.resolve({ status: 204 })
    await made
    expect(recorded()[0]?.[1].attempt).toMatchObject({ ms: 0, copies: [{ status: 204, ms: 40 }] })
  })

  test('fails with a message if sending throws', async () => {
    responses = [() => Promise.reject(new Error('broken pipe'))]
    await make()
    const [record] = recorded()
    expect(record?.[1].delivered).toBe(false)
    expect(record?.[1].attempt).toMatchObject({ error: expect.stringContaining('broken pipe') })
  })

  test('is not recorded if it is abandoned, or if its delivery was removed, while it is in flight', async () => {
    const response = deferred<ReceiverResponse>()
    responses = [() => response.promise]
    let isOver = false
    const both = [make(() => isOver), make()]
    await clock.advance(0)
    isOver = true
    delivery = undefined
    response.resolve({ status: 200 })
    await Promise.all(both)
    expect([sent.length, executed]).toEqual([2, []])
  })

  test.each(['delivered', 'cancelled', 'exhausted', undefined])('is not made if its delivery is %s', async (status) => {
    delivery = status === undefined ? undefined : ({ ...delivery, status } as Delivery)
    await make()
    expect([sent, executed]).toEqual([[], []])
  })

  test('is ignored if its record is refused, unless the storage is unavailable', async () => {
    executeError = refuse('not_found')
    await expect(make()).resolves.toBe('over')
    for (const error of [refuse('storage_unavailable'), new Error('a bug')]) {
      executeError = error
      await expect(make()).rejects.toBe(error)
    }
  })
})

describe('an attempt for a listener', () => {
  beforeEach(() => {
    listener = true
  })

  test('is parked if the listener is not connected', async () => {
    connected = false
    await make()
    expect([parked, sent, executed]).toEqual([[['we', 'd']], [], []])
  })

  test.each([
    [tamper, tamper],
    [NO_FAULTS, undefined],
  ])('is parked with its faults %# if the listener disconnects before it reports', async (faults, kept) => {
    responses = [async () => 'disconnected' as never]
    held.saveFaults('d', faults)
    await make()
    expect([parked, sent, executed, held.takeFaults('d')]).toEqual([[['we', 'd']], ['we'], [], kept])
  })

  test('is recorded with the response to the first copy, and the other copies follow', async () => {
    held.saveFaults('d', selectFaults([{ id: 'flt_1', fault: 'duplicate:2' }]))
    const late = deferred<ReceiverResponse>()
    responses = [async () => ({ status: 200 }), () => late.promise, async () => ({ status: 409 })]
    await make()
    expect(recorded().map(([name, { attempt }]) => [name, attempt])).toEqual([
      ['record_attempt', expect.objectContaining({ status: 200, fault: 'duplicate:2' })],
    ])
    expect(recorded()[0]?.[1].attempt).not.toHaveProperty('copies')
    delivery = { ...(delivery as Delivery), attempts: [{ number: 1 } as never] }
    late.resolve({ status: 204 })
    await clock.advance(0)
    expect(executed[1]).toEqual([
      'record_duplicates',
      {
        delivery_id: 'd',
        number: 1,
        copies: [expect.objectContaining({ status: 204 }), expect.objectContaining({ status: 409 })],
      },
    ])
  })

  test.each([
    ['a refusal', new RefusalError('not_found'), []],
    ['a failed write', new RefusalError('storage_unavailable'), []],
    ['a defect', DEFECT, [DEFECT]],
  ])(
    'ignores %s while the other copies are recorded, unless it is a defect, which it reports',
    async (_, error, reported) => {
      held.saveFaults('d', selectFaults([{ id: 'flt_1', fault: 'duplicate:1' }]))
      const late = deferred<ReceiverResponse>()
      responses = [async () => ({ status: 200 }), () => late.promise]
      await make()
      delivery = { ...(delivery as Delivery), attempts: [{ number: 1 } as never] }
      executeError = error
      late.resolve({ status: 204 })
      await clock.advance(0)
      expect(internalErrors).toEqual(reported)
    },
  )
})
