// A sandbox without HTTP: engine, timeline and all delivery modules over rows in memory.
import { onTestFinished } from 'vitest'
import { createControlHub } from '../../src/delivery/control-hub.ts'
import { createDispatcher } from '../../src/delivery/dispatcher.ts'
import { createListenerHub } from '../../src/delivery/listener-hub.ts'
import { createStreamHub } from '../../src/delivery/stream-hub.ts'
import type { Delivery } from '../../src/domain/delivery.ts'
import type { SandboxTime } from '../../src/domain/time.ts'
import type { Input } from '../../src/engine/command.ts'
import { createEngine } from '../../src/engine/engine.ts'
import { EXPIRY_TIMERS } from '../../src/engine/tables.ts'
import type { Transport } from '../../src/receiver-client/transport.ts'
import { createTransport } from '../../src/receiver-client/undici-transport.ts'
import { createSystemClock, type SystemClock } from '../../src/system-clock/system-clock.ts'
import { initialClock } from '../../src/time/clock.ts'
import { seededRandomness } from '../../src/time/random.ts'
import { syncTimers } from '../../src/time/sync-timers.ts'
import { createTimeline } from '../../src/time/timeline.ts'
import { memoryLog, START } from '../engine/bench-world.ts'

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
    isExpiry: (kind) => EXPIRY_TIMERS.includes(kind),
    save() {},
    onError: (error) => void errors.push(error),
  })
  const engine = createEngine(log, seededRandomness(log.seq), timeline.now)
  const rearm = (delivery_id: string, due: SandboxTime, in_line?: true) =>
    void engine.execute('postpone_delivery', { delivery_id, due, ...(in_line && { in_line }) })
  const streams = createStreamHub(engine, systemClock)
  const control = createControlHub({ world, systemClock, now: timeline.now })
  const listeners = createListenerHub({ world, systemClock, now: timeline.now, rearm })
  const undici = createTransport(systemClock)
  const transport = options.transport ?? undici.send
  const dispatcher = createDispatcher({ engine, transport, systemClock, now: timeline.now, rearm, listeners })
  engine.onCommit((commit, command, at) => {
    syncTimers(timeline, commit, command, systemClock)
    dispatcher.committed(commit, command, at)
  })
  engine.onWritten((commit, command, at) => {
    streams.committed(commit, command, at)
    listeners.committed(commit, command, at)
    control.committed(commit, command, at)
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
