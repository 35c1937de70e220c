import { describe, expect, test } from 'vitest'
import { createControlHub } from '../../src/delivery/control-hub.ts'
import type { Commit } from '../../src/engine/commit.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'
import { type Message, rig, sseReader } from './fixtures.ts'
import { receiver } from './receiver.ts'

type Box = Awaited<ReturnType<typeof rig>>

const MANY_BYTES = Number.POSITIVE_INFINITY
const open = (box: Box, id?: string) => sseReader(box.control.open(id))
const kinds = (messages: readonly Message[]) => messages.map(({ event }) => event)

describe("the control API's stream", () => {
  test('contains transitions, events, deliveries and attempts in order, with increasing ids', async () => {
    const box = await rig()
    const to = await receiver((response) => void response.writeHead(500).end())
    const { id: endpoint_id } = box.endpoint(to.url)
    const stream = open(box)
    const payment = box.pay()
    const messages = await stream.take(6)
    expect(kinds(messages)).toEqual(['payment', 'payment', 'payment', 'event', 'delivery', 'attempt'])
    const ids = messages.map(({ id }) => Number(id))
    expect(ids).toEqual([...ids].sort((a, b) => a - b))
    expect(new Set(ids).size).toBe(6)
    expect(messages[0]?.data).toMatchObject({
      kind: 'payment',
      at: '2026-05-06T12:00:00.000Z',
      shop_id: box.shop.id,
      mode: 'test',
      change: 'created',
      status: 'pending',
      payment: { id: payment.id, refunds: [] },
    })
    expect(messages[2]?.data).toMatchObject({
      change: 'status_changed',
      status: 'succeeded',
      previous_status: 'processing',
      payment: { id: payment.id, status: 'succeeded' },
    })
    expect(messages[3]?.data).toMatchObject({ event: { event: 'payment.succeeded', data: { id: payment.id } } })
    expect(messages[5]?.data).toMatchObject({
      delivery: { endpoint_id, status: 'waiting', next_attempt_at: '2026-05-06T12:00:10.000Z', attempts_total: 9 },
      attempt: { number: 1, status: 500 },
    })
  })

  test('has complete timestamps, whatever the precision of the objects is', async () => {
    const box = await rig()
    box.run('change_settings', { values: { time_fraction: 0 } })
    const to = await receiver((response) => void response.writeHead(500).end())
    box.endpoint(to.url)
    const stream = open(box)
    box.pay()
    const [created, , , event, , attempt] = await stream.take(6)
    expect(created?.data).toMatchObject({
      at: '2026-05-06T12:00:00.000Z',
      payment: { created_at: '2026-05-06T12:00:00Z' },
    })
    expect(event?.data).toMatchObject({ event: { created_at: '2026-05-06T12:00:00.000Z' } })
    expect(attempt?.data).toMatchObject({
      delivery: { next_attempt_at: '2026-05-06T12:00:10.000Z' },
      attempt: { at: '2026-05-06T12:00:00.000Z' },
    })
  })

  test('contains settled refunds, chosen methods, clock changes, requests and resets', async () => {
    const box = await rig()
    box.run('change_settings', { values: { 'delays.refund': '1s' } })
    const payment = box.pay()
    const any = box.run('create_payment', {
      caller: box.caller,
      input: { amount: 100, currency: 'RUB', method: 'any', metadata: {} },
    }).object
    const stream = open(box)
    box.refund(payment.id, 5000)
    await box.advance(1000)
    box.run('act_on_payment', { payment_id: any.id, act: { action: 'choose_method', method: 'cards' } })
    box.run('set_clock', { clock: { id: 'clock', mode: 'scaled', speed: 60, virtual: 0, wall: 0 } })
    box.control.addRequest({ method: 'GET', path: '/x' })
    box.run('reset', {})
    const told: Message[] = []
    while (told.at(-1)?.event !== 'reset') told.push(await stream.next())
    const shown = told.map(({ event, data }) => [event, data['change'] ?? data['command'], data['status']])
    expect(shown).toContainEqual(['refund', 'created', 'pending'])
    expect(shown).toContainEqual(['refund', 'status_changed', 'succeeded'])
    expect(shown).toContainEqual(['payment', 'updated', 'pending'])
    expect(shown).toContainEqual(['reset', 'reset', undefined])
    const find = (kind: string) => told.find(({ event }) => event === kind)?.data
    expect(find('clock')).toMatchObject({ clock: { mode: 'scaled', speed: 60, now: '1970-01-01T00:00:00.000Z' } })
    expect(find('request')).toMatchObject({ request: { method: 'GET', path: '/x' } })
  })

  test('shows an entry that is read late as it was at the time of the entry', async () => {
    const box = await rig()
    const from = box.control.newest()
    const payment = box.pay()
    box.refund(payment.id, 5000)
    const late = open(box, String(from))
    const told: Message[] = []
    while (told.at(-1)?.event !== 'refund') told.push(await late.next())
    const payments = told.filter(({ event }) => event === 'payment')
    expect(payments.map(({ data }) => (data['payment'] as { refunds: unknown[] }).refunds)).toEqual(
      payments.map(() => []),
    )
    expect(payments.at(-1)?.data['status']).toBe('succeeded')
  })

  test('resumes after the last id', async () => {
    const box = await rig()
    const first = open(box)
    box.pay()
    const seen = await first.take(2)
    await first.cancel()
    const missed = await open(box, seen[1]?.id).take(2)
    expect(kinds(missed)).toEqual(['payment', 'event'])
    expect(missed.map(({ id }) => Number(id))).toEqual([1, 2].map((n) => Number(seen[1]?.id) + n))
    // Without an id, the stream contains only new messages.
    const fresh = open(box)
    box.control.addRequest({ path: '/new' })
    expect((await fresh.next()).event).toBe('request')
  })

  test('reports a gap if missed messages are dropped or from an earlier run', async () => {
    const box = await rig()
    const hub = createControlHub({
      world: box.world,
      systemClock: createSystemClock(),
      now: box.timeline.now,
      limits: { rows: 5, bytes: MANY_BYTES },
    })
    const first = sseReader(hub.open(undefined))
    hub.addRequest({ n: 0 })
    const { id } = await first.next()
    for (let n = 1; n <= 8; n++) hub.addRequest({ n })
    const [gap, ...rest] = await sseReader(hub.open(id)).take(6)
    expect(gap).toMatchObject({ event: 'gap', data: { from: Number(id) + 1, to: Number(id) + 3 } })
    expect(rest.map(({ data }) => (data['request'] as { n: number }).n)).toEqual([4, 5, 6, 7, 8])
    expect((await sseReader(hub.open(String(Number(id) - 1_000_000))).next()).event).toBe('gap')
    expect((await sseReader(hub.open(String(Number(id) + 1_000_000))).next()).event).toBe('gap')
  })

  test('reports a gap if missed messages are dropped because of their size', async () => {
    const box = await rig()
    const kept = { rows: 1000, bytes: 1_000_000 }
    const hub = createControlHub({
      world: box.world,
      systemClock: createSystemClock(),
      now: box.timeline.now,
      limits: kept,
    })
    hub.addRequest({ n: 0 })
    const first = hub.newest()
    box.pay()
    const [row] = box.world.rows('payments')
    const puts = [{ table: 'payments', row: { ...row, description: 'x'.repeat(300_000) } }]
    const commit = { clear: [], deletes: [], stream: [], puts } as unknown as Commit
    for (let n = 0; n < 10; n++) hub.onCommit(commit, 'act_on_payment', box.timeline.now())
    expect(hub.counts().kept).toBe(3)
    const [gap, ...rest] = await sseReader(hub.open(String(first))).take(4)
    expect(gap).toMatchObject({ event: 'gap', data: { from: first + 1, to: first + 7 } })
    expect(kinds(rest)).toEqual(['payment', 'payment', 'payment'])
  })

  test('keeps only a cursor for a reader that does not read, and reports what it missed', async () => {
    const box = await rig()
    const hub = createControlHub({
      world: box.world,
      systemClock: createSystemClock(),
      now: box.timeline.now,
      limits: { rows: 100, bytes: MANY_BYTES },
    })
    const stream = sseReader(hub.open(undefined))
    for (let n = 0; n < 5000; n++) {
      hub.addRequest({ n, padding: 'x'.repeat(1000) })
      if (n % 50 === 0) await new Promise<void>((resolve) => void setImmediate(resolve))
    }
    const numbers: number[] = []
    let gaps = 0
    while (numbers.at(-1) !== 4999) {
      const { event, data } = await stream.next()
      if (event === 'gap') gaps++
      else numbers.push((data['request'] as { n: number }).n)
    }
    expect(gaps).toBe(1)
    expect(numbers.length).toBeLessThan(400)
    expect(numbers.slice(-100)).toEqual(Array.from({ length: 100 }, (_, i) => 4900 + i))
  })
})
