// A sandbox without HTTP: engine, timeline and all delivery modules over rows in memory.

import { createHmac } from 'node:crypto'
import { createParser } from 'eventsource-parser'
import { onTestFinished } from 'vitest'
import { createControlHub } from '../../src/delivery/control-hub.ts'
import { createDispatcher } from '../../src/delivery/dispatcher.ts'
import { createListenerHub } from '../../src/delivery/listener-hub.ts'
import { createStreamHub } from '../../src/delivery/stream-hub.ts'
import type { Delivery } from '../../src/domain/delivery.ts'
import type { SandboxTime } from '../../src/domain/time.ts'
import type { Input } from '../../src/engine/command.ts'
import { createEngine } from '../../src/engine/engine.ts'
import { seededRandomness } from '../../src/random.ts'
import type { Transport } from '../../src/receiver-client/transport.ts'
import { createTransport } from '../../src/receiver-client/undici-transport.ts'
import { createSystemClock, type SystemClock } from '../../src/system-clock/system-clock.ts'
import { initialClock } from '../../src/time/clock.ts'
import { syncTimers } from '../../src/time/sync-timers.ts'
import { createTimeline } from '../../src/time/timeline.ts'
import { memoryLog, START } from '../engine/bench-world.ts'
import type { Received } from './receiver.ts'

export async function rig(
  options: { transport?: Transport; systemClock?: SystemClock; log?: ReturnType<typeof memoryLog> } = {},
) {
  const systemClock = options.systemClock ?? createSystemClock()
  const log = options.log ?? memoryLog()
  const { world } = log
  const errors: unknown[] = []
  const timeline = createTimeline({
    systemClock,
    clock: initialClock({ mode: 'frozen', now: START }, systemClock.now()),
    run: (timer) =>
      timer.kind === 'deliver' ? dispatcher.deliver(timer.object_id) : void engine.execute('run_timer', { timer }),
    save() {},
    onError: (error) => void errors.push(error),
  })
  const engine = createEngine(log, seededRandomness(log.lastLine), timeline.now)
  const scheduleAttempt = (delivery_id: string, due: SandboxTime, in_backlog?: true) =>
    void engine.execute('postpone_delivery', { delivery_id, due, ...(in_backlog && { in_backlog }) })
  const streams = createStreamHub(engine, systemClock)
  const control = createControlHub({ world, systemClock, now: timeline.now })
  const listeners = createListenerHub({ world, systemClock, now: timeline.now, scheduleAttempt })
  const undici = createTransport(systemClock)
  const transport = options.transport ?? undici.send
  const dispatcher = createDispatcher({
    engine,
    transport,
    systemClock,
    now: timeline.now,
    scheduleAttempt,
    listeners,
    onInternalError: (error) => void errors.push(error),
  })
  engine.onCommit((commit, command, at) => {
    syncTimers(timeline, commit, command, systemClock)
    dispatcher.onCommit(commit, command, at)
  })
  engine.onWritten((commit, command, at) => {
    streams.onCommit(commit, command, at)
    listeners.onCommit(commit, command, at)
    control.onCommit(commit, command, at)
  })
  for (const timer of world.rows('timers')) timeline.arm(timer)
  await timeline.start()
  const made = engine.execute('create_shop', { name: 'Tea house' })
  const caller = { shop_id: made.shop.id, mode: 'test' as const }
  onTestFinished(async () => {
    const calm = timeline.stop()
    await dispatcher.close({ grace_ms: 0 })
    await undici.close()
    await calm
  })

  return {
    engine,
    world,
    log,
    timeline,
    dispatcher,
    streams,
    control,
    listeners,
    undici,
    errors,
    caller,
    shop: made.shop,
    key: made.key,
    run: engine.execute,
    endpoint: (url: string, more: object = {}) =>
      engine.execute('create_endpoint', { shop_id: made.shop.id, input: { url, ...more } }),
    /** Creates a payment that is paid at once. `payment.succeeded` is being delivered when this returns. */
    pay(input: Partial<Input<'create_payment'>['input']> = {}) {
      const full = { amount: 15000, currency: 'RUB', method: 'sbp', metadata: {}, ...input } as const
      const { object } = engine.execute('create_payment', { caller, input: full })
      return engine.execute('act_on_payment', { payment_id: object.id, act: { action: 'pay' } })
    },
    refund: (payment_id: string, amount: number) => engine.execute('refund_payment', { caller, payment_id, amount }),
    fault: (fault: string, more: object = {}) =>
      engine.execute('add_fault', { target: 'webhook', fault, times: 1, ...more }),
    advance: (ms: number) => timeline.advance({ by: ms }),
    deliveries: () => [...world.rows('deliveries')] as Delivery[],
    /** Returns the only delivery, after everything that is due has been attempted. */
    async over(): Promise<Delivery> {
      await timeline.idle()
      return [...world.rows('deliveries')].at(-1) as Delivery
    },
  }
}

/** Responds when the test calls it. */
export function manualTransport() {
  const sent: { url: string; answer: (status: number) => void }[] = []
  const transport: Transport = ({ url }) =>
    new Promise((resolve) => void sent.push({ url, answer: (status) => resolve({ status }) }))
  return { transport, sent }
}

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve))

export const turns = async () => {
  for (let i = 0; i < 5; i++) await turn()
}

/** Waits for several turns, because a busy machine spreads starts over more of them. */
export const reaches = async (list: readonly unknown[], length: number) => {
  while (list.length < length) await turn()
  await turns()
}

export function verifyV2(request: Received | undefined, secret: string | undefined): boolean {
  if (request === undefined || secret === undefined) throw new Error('nothing to verify')
  const header = String(request.headers['x-psp-signature'])
  const { t, v1, v2 } = /^t=(?<t>\d+),v1=(?<v1>[0-9a-f]{64}),v2=(?<v2>[0-9a-f]{64})$/.exec(header)?.groups ?? {}
  const hmac = (...parts: (string | Buffer)[]) =>
    parts.reduce((mac, part) => mac.update(part), createHmac('sha256', secret)).digest('hex')
  return t === request.headers['x-psp-timestamp'] && v1 === hmac(request.body) && v2 === hmac(`${t}.`, request.body)
}

export interface Message {
  readonly id: string | undefined
  readonly event: string | undefined
  readonly data: Record<string, unknown>
}

/** Reads an SSE body message by message, with a parser that is independent of the code under test. */
export function sseReader(stream: ReadableStream<Uint8Array>) {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  const messages: Message[] = []
  const comments: string[] = []
  let raw = ''
  let ended = false
  const parser = createParser({
    onEvent: ({ id, event, data }) => void messages.push({ id, event, data: JSON.parse(data) }),
    onComment: (comment) => void comments.push(comment),
  })

  /** Reads the next chunk. Returns false at the end. */
  async function pull(): Promise<boolean> {
    const { value, done } = await reader.read()
    if (done) {
      ended = true
      return false
    }
    const text = decoder.decode(value, { stream: true })
    raw += text
    parser.feed(text)
    return true
  }

  return {
    comments,
    raw: () => raw,
    pull,
    async next(): Promise<Message> {
      while (messages.length === 0) if (!(await pull())) throw new Error('The stream ended.')
      return messages.shift() as Message
    },
    async take(count: number): Promise<Message[]> {
      const taken: Message[] = []
      while (taken.length < count) taken.push(await this.next())
      return taken
    },
    /** Reads the rest, and returns true if the stream has ended. */
    async end(): Promise<boolean> {
      while (!ended && (await pull())) messages.length = 0
      return ended
    },
    cancel: () => reader.cancel(),
  }
}
