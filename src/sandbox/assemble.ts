import { addEndpoints, hasWellKnownCredentials, startShopInput, startShopOf } from '../engine/default-shop.ts'
import type { Engine } from '../engine/engine.ts'
import { OPEN_STATUSES } from '../engine/payment-timer.ts'
import { createApp } from '../http/app.ts'
import type { CancellableWork } from '../http/app-env.ts'
import { awaitDurability } from '../http/await-durability.ts'
import { pageBase } from '../http/page-base.ts'
import type { ScenarioContext } from '../http/scenario-context.ts'
import type { Store } from '../store/store.ts'
import { clockChange } from '../time/clock.ts'
import { syncPaymentTimer } from '../time/sync-timers.ts'
import type { Timeline } from '../time/timeline-types.ts'
import { createAccess } from './access.ts'
import { type Core, createCore } from './core.ts'
import { createOutputs, type Outputs } from './outputs.ts'
import type { Assembly, BeforeStart, Sandbox } from './sandbox-types.ts'
import { openStart, type SandboxStart } from './start.ts'
import { VERSION } from './version.ts'

export async function assemble(store: Store, options: Assembly, beforeStart?: BeforeStart): Promise<Sandbox> {
  const { payUrl, runScenario } = options
  const isNew = store.world.size('shops') === 0
  const core = createCore(store, options, (id) => outputs.dispatcher.deliver(id))
  const outputs: Outputs = createOutputs(core, options)
  const { engine, timeline } = core
  const startShop = startShopInput(options.credentials, options.endpoints)
  const atStart = openStart({
    record: store.start,
    isNew: isNew,
    shop: startShop,
    seed: options.seed,
    drawIds: core.drawSeedIds,
    randomOf: core.randomOf,
  })
  // Steps that ran meanwhile were refused, or undone: they left the queue, and their rows stayed.
  store.onRecovery(() =>
    options.systemClock.nextTurn(() => {
      timeline.disarmAll()
      armAll(engine, timeline)
    }),
  )
  const isExposed = () => hasWellKnownCredentials(engine, startShop)
  const access = createAccess(options.control, isExposed, options.systemClock.monotonic)
  await beforeStart?.({ isNew: isNew, assertHostAllowed: access.assertHostAllowed })
  await start(core, atStart, options, isNew)

  let url = payUrl ?? 'http://127.0.0.1:7770'
  const currentStartShop = () => startShopOf(engine, startShop)
  const scenarioContext = (work: CancellableWork): ScenarioContext => ({
    dryRun: work.dryRun === true,
    fetch: (request) => fetch(request, { work }),
    cleanUp: fetch,
    shop: currentStartShop(),
    controlToken: options.control?.token,
    systemClock: options.systemClock,
  })
  const { api, fastPath } = createApp({
    ...core,
    systemClock: options.systemClock,
    dispatcher: outputs.dispatcher,
    streams: outputs.streams,
    controlHub: outputs.controlHub,
    listeners: outputs.listeners,
    store,
    requestLog: outputs.requestLog,
    closing: outputs.closing,
    startShop: atStart.shop,
    ...(atStart.seed && { seed: atStart.seed }),
    ...(options.settingOrigins === undefined ? {} : { settingOrigins: options.settingOrigins }),
    version: VERSION,
    payUrl: (c) => (payUrl !== undefined || access.control.loopback ? url : pageBase(c, url)),
    control: access.control,
    onInternalError: options.onInternalError,
    ...(runScenario === undefined
      ? {}
      : { runScenario: (given: unknown, work: CancellableWork) => runScenario(given, scenarioContext(work)) }),
  })
  const fetch: Sandbox['fetch'] = async (request, bindings) => api.fetch(request, bindings)

  let closing: Promise<void> | undefined
  async function close(grace_ms: number): Promise<void> {
    try {
      await outputs.close(grace_ms, timeline.stop())
    } finally {
      // Whatever else fails: the folder is written down and given back.
      await store.close()
    }
  }

  return {
    fetch,
    fastPath,
    engine,
    timeline,
    store,
    dispatcher: outputs.dispatcher,
    version: VERSION,
    isNew: isNew,
    startShop: currentStartShop,
    assertHostAllowed: access.assertHostAllowed,
    setBaseUrl(told) {
      url = payUrl ?? told
      store.announce(told)
    },
    setPayUrl(told) {
      url = payUrl ?? told
    },
    idle: () => awaitDurability(engine, 'long_change', timeline.idle),
    close: (how = {}) => (closing ??= close(how.grace_ms ?? 2000)),
  }
}

const NOT_APPLIED =
  'The data folder has data already, so the seed is not applied yet. The next reset applies it: psp store reset --all.'

function armAll(engine: Engine, timeline: Timeline): void {
  const { world } = engine
  for (const timer of world.rows('timers')) timeline.arm(timer)
  for (const payment of world.rowsWith('payments', 'status', OPEN_STATUSES)) syncPaymentTimer(timeline, payment)
}

/** What happens before the sandbox answers: timers that wait, the first shop, the seed; then time goes on. */
async function start({ engine, timeline }: Core, atStart: SandboxStart, options: Assembly, fresh: boolean) {
  const { endpoints = [], clock } = options
  const { world } = engine
  const stored = world.get('state', 'clock')
  const knowsClock = stored !== undefined
  // A clock that cannot be set is refused before anything changes.
  if (clock !== undefined && stored?.id === 'clock') clockChange(stored, clock, options.systemClock.now())
  armAll(engine, timeline)
  // The anchor is kept from the first moment on: after a crash, what fell due runs from there, each step at its instant.
  if (!knowsClock) engine.execute('set_clock', { clock: timeline.clock() })
  if (fresh) engine.execute('begin', atStart)
  // In the turn of the commit, so that the start is on the disk before the line of the journal.
  if (atStart.save() && !fresh) options.notice(NOT_APPLIED)
  addEndpoints(engine, endpoints)
  await timeline.start()
  if (clock !== undefined && knowsClock) await timeline.setMode(clock)
  await engine.written()
}
