// The assembly root: settings in, one function from Request to Response out. Rooms meet here and nowhere else.
import pkg from '../package.json' with { type: 'json' }
import { createControlHub } from './delivery/control-hub.ts'
import { createCourier } from './delivery/courier.ts'
import type { Courier } from './delivery/courier-contract.ts'
import { createListenerHub } from './delivery/listeners.ts'
import { createStreamHub } from './delivery/stream-hub.ts'
import type { Transport } from './delivery/transport.ts'
import { createTransport } from './delivery/undici-transport.ts'
import type { Credentials } from './domain/start-shop.ts'
import type { SandboxTime } from './domain/time.ts'
import { createEngine, type Engine } from './engine/engine.ts'
import { addEndpoints, type StartShop, startShopInput, startShopOf } from './engine/start-shop.ts'
import { EXPIRY_TIMERS } from './engine/tables.ts'
import { createApp } from './http/app.ts'
import type { DoorBindings } from './http/app-env.ts'
import { tellRequest } from './http/control/requests.ts'
import type { Direct } from './http/direct.ts'
import { createRequestLog, type LoggedRequest } from './http/request-log.ts'
import type { PlayScenario } from './http/scenario-stage.ts'
import type { ControlAccess } from './http/services.ts'
import type { SettingValues } from './settings.ts'
import { openStore, type StoreOptions } from './store/open-store.ts'
import type { Store } from './store/store.ts'
import { type ClockRequest, firstClock } from './time/clock.ts'
import { followTimers } from './time/follow-timers.ts'
import { guardedWall, noticing } from './time/guarded-wall.ts'
import { randomnessOf } from './time/randomness.ts'
import { ofShard } from './time/shard.ts'
import { createTimeline } from './time/timeline.ts'
import type { Timeline } from './time/timeline-contract.ts'
import { systemWall, type WallClock } from './time/wall.ts'

export { readSeed } from './http/control/seed.ts'
export type { StartShop }

export interface SandboxOptions {
  /** The data folder; absent: memory only. */
  readonly folder?: string
  /** Each commit is on the disk before it is answered. */
  readonly durable?: boolean
  readonly store?: Pick<StoreOptions, 'fs' | 'checkpointThreshold'>
  /** Settings as people write them, set before anything else happens. */
  readonly settings?: SettingValues
  /** Overrides the stored clock. */
  readonly clock?: ClockRequest
  /** Same ids and draws on every run. */
  readonly randomSeed?: number | string
  /** 0 to 255: which of several servers behind one address this is. Its ids and new keys carry it. */
  readonly shard?: number
  /** Of the start shop, where the folder is new. Default: the well-known development credentials. */
  readonly credentials?: Partial<Credentials>
  /** Called once on a new folder, before the sandbox answers or lets time go on: makes what the seed says. */
  readonly seed?: (engine: Engine) => void
  /** Webhook endpoints of the start shop that sign with its `webhook_secret`; those it has are not added twice. */
  readonly endpoints?: readonly string[]
  /** Where buyers reach the hosted pages, without a slash at the end. Default: what `announce` names. */
  readonly payHost?: string
  readonly control?: Partial<ControlAccess>
  /** Webhook attempts wait for the next sandbox that opens the folder: this one lives for a moment only. */
  readonly holdDeliveries?: boolean
  /** For `POST /_psp/trigger`: scenarios stand above this layer. */
  readonly runScenario?: PlayScenario
  /** How webhooks leave. Default: over HTTP with undici. */
  readonly transport?: Transport
  readonly wall?: WallClock
  /** One line for a person: a torn journal line that was dropped, a disk that refuses. */
  readonly notice?: (text: string) => void
  /** A fault of this program; callers got `internal_error`. */
  readonly onFault?: (error: unknown) => void
}

export interface Sandbox {
  /** The only way in. Rejects like any failed fetch where the simulator cuts the connection. */
  fetch(request: Request, bindings?: DoorBindings): Promise<Response>
  /** The node door's short way to the same handlers. */
  readonly direct: Direct
  readonly engine: Engine
  readonly timeline: Timeline
  readonly store: Store
  readonly courier: Courier
  readonly version: string
  /** True where the data folder was new. */
  readonly fresh: boolean
  start(): StartShop
  /** Tells the sandbox the url it is reached at: for clients that read the lock, and payment pages; `pagesAt` for these alone. */
  announce(url: string): void
  pagesAt(url: string): void
  /** Resolves when no simulator step, settlement or webhook attempt waits; expiries do not count. */
  idle(): Promise<void>
  /** Lets what runs finish for up to `grace_ms` (default 2000), writes everything down, frees the folder. Twice is fine. */
  close(options?: { readonly grace_ms?: number }): Promise<void>
}

export const VERSION: string = pkg.version

/**
 * Opens the store and lets the sandbox live.
 * @throws StoreLocked, StoreDamaged, SettingError, Refusal
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { notice = () => {}, onFault = () => {} } = options
  const wall = guardedWall(options.wall ?? systemWall(), noticing(notice, onFault))
  const store = await openStore({
    folder: options.folder,
    wall,
    nextTurn: wall.nextTurn,
    notice,
    ...(options.durable === undefined ? {} : { durable: options.durable }),
    ...options.store,
  })
  try {
    return await assemble(store, { ...options, wall, notice, onFault })
  } catch (error) {
    await store.close()
    throw error
  }
}
type Assembly = SandboxOptions & Required<Pick<SandboxOptions, 'wall' | 'notice' | 'onFault'>>
async function assemble(store: Store, options: Assembly): Promise<Sandbox> {
  const { wall, onFault, runScenario } = options
  const { world } = store
  const fresh = world.size('shops') === 0
  const seed = options.randomSeed === undefined ? undefined : `${options.randomSeed} ${store.seq}`
  const [drawn, chance] = [randomnessOf(seed), randomnessOf(seed, ' faults')]
  const random = options.shard === undefined ? drawn : ofShard(drawn, options.shard)
  const stored = world.get('state', 'clock')
  let url = options.payHost ?? 'http://127.0.0.1:7770'
  const timeline: Timeline = createTimeline({
    wall,
    clock:
      stored?.id === 'clock' ? stored : firstClock(options.clock ?? { mode: 'real' }, wall.now(), seed !== undefined),
    run: (timer) => (timer.kind === 'deliver' ? deliver(timer.object_id) : run(timer)),
    isExpiry: (kind) => EXPIRY_TIMERS.includes(kind),
    save: (clock) => {
      engine.execute('set_clock', { clock })
      return engine.settled()
    },
    onError: onFault,
  })
  const engine = createEngine(store, random, timeline.now, chance)
  const run = (timer: Parameters<Timeline['arm']>[0]) => void engine.execute('run_timer', { timer })
  // No receiver hears of what a crash could still undo. A held timer leaves the queue; its row stays for the next start.
  const deliver = (id: string) => {
    store.write()
    return options.holdDeliveries === true ? undefined : courier.deliver(id)
  }
  const rearm = (delivery_id: string, due: SandboxTime, in_line?: true) =>
    void engine.execute('postpone_delivery', { delivery_id, due, ...(in_line && { in_line }) })
  const streams = createStreamHub(engine, wall)
  const requestLog = createRequestLog(() => world.settings['retention.requests'])
  const controlHub = createControlHub({
    world,
    wall,
    now: timeline.now,
    renderRequest: (entry) => tellRequest(entry as LoggedRequest),
    onFault: noticing(options.notice, onFault),
  })
  requestLog.listen((entry) => controlHub.request(entry))
  const listeners = createListenerHub({ world, wall, now: timeline.now, rearm })
  const undici = options.transport === undefined ? createTransport(wall) : undefined
  const transport = options.transport ?? (undici as NonNullable<typeof undici>).send
  const courier = createCourier({ engine, transport, wall, now: timeline.now, rearm, listeners })

  engine.onCommit((commit, command, at) => {
    followTimers(timeline, commit, command, wall)
    streams.committed(commit, command, at)
    courier.committed(commit, command, at)
    listeners.committed(commit, command, at)
    controlHub.committed(commit, command, at)
    if (command === 'reset' || command === 'import_state') requestLog.clear()
  })
  for (const timer of world.rows('timers')) timeline.arm(timer)

  const startShop = startShopInput(options.credentials, options.endpoints)
  // The anchor is kept from the first moment on: after a crash, what fell due runs from there, each step at its instant.
  if (stored === undefined) engine.execute('set_clock', { clock: timeline.clock() })
  if (fresh) engine.execute('create_shop', startShop)
  if (options.settings !== undefined && Object.keys(options.settings).length > 0) {
    engine.execute('change_settings', { values: options.settings })
  }
  if (fresh) options.seed?.(engine)
  addEndpoints(engine, options.endpoints ?? [])
  await timeline.start()
  if (options.clock !== undefined && stored !== undefined) await timeline.setMode(options.clock)
  await engine.settled()

  const ended = new AbortController()
  const { api, direct } = createApp({
    engine,
    timeline,
    wall,
    random,
    repeatable: seed !== undefined,
    courier,
    streams,
    control_hub: controlHub,
    listeners,
    store,
    requestLog,
    closing: ended.signal,
    startShop,
    ...(options.settings === undefined ? {} : { startSettings: options.settings }),
    version: VERSION,
    payHost: () => url,
    control: { host: '127.0.0.1', loopback: true, ...options.control },
    onFault,
    ...(runScenario === undefined ? {} : { runScenario: (given: unknown) => runScenario(given, stage()) }),
  })
  const fetch = async (request: Request, bindings?: DoorBindings) => api.fetch(request, bindings)
  const start = () => startShopOf(engine, startShop)
  const stage = () => ({ fetch, start: start(), control_token: options.control?.token, wall })
  let closing: Promise<void> | undefined
  async function close(grace_ms: number): Promise<void> {
    try {
      const calm = timeline.stop()
      await courier.close({ grace_ms })
      ended.abort()
      streams.close()
      controlHub.close()
      listeners.close()
      await calm
      await undici?.close()
    } finally {
      // Whatever else fails: the folder is written down and given back.
      await store.close()
    }
  }

  return {
    fetch,
    direct,
    engine,
    timeline,
    store,
    courier,
    version: VERSION,
    fresh,
    start,
    announce(told) {
      url = options.payHost ?? told
      store.announce(told)
    },
    pagesAt(told) {
      url = options.payHost ?? told
    },
    idle: timeline.idle,
    close: (how = {}) => (closing ??= close(how.grace_ms ?? 2000)),
  }
}
