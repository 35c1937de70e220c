import { omitUndefined } from '../domain/omit-undefined.ts'
import { VERSION } from '../domain/version.ts'
import {
  addEndpoints,
  defaultShopInput,
  readDefaultShop,
  sandboxUsesDevelopmentCredentials,
} from '../engine/default-shop.ts'
import type { Engine } from '../engine/engine.ts'
import { OPEN_STATUSES } from '../engine/payment-timer.ts'
import { createApp } from '../http/app.ts'
import type { CancellableWork } from '../http/app-env.ts'
import { awaitWrites } from '../http/await-writes.ts'
import { dashboardOfPackage } from '../http/dashboard/dashboard-files.ts'
import { pageBase } from '../http/host-header.ts'
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

export async function assemble(store: Store, options: Assembly, beforeStart?: BeforeStart): Promise<Sandbox> {
  const { payUrl, runScenario, settingOrigins, pspCommand } = options
  const isNew = store.world.size('shops') === 0
  const core = createCore(store, options, (id) => outputs.dispatcher.deliver(id))
  const outputs: Outputs = createOutputs(core, options)
  const { engine, timeline } = core
  const defaultShop = defaultShopInput(options.credentials, options.endpoints)
  const atStart = openStart({
    record: store.start,
    isNew,
    shop: defaultShop,
    seed: options.seed,
    drawIds: core.drawSeedIds,
    randomOf: core.randomOf,
  })
  // Steps that ran while writes failed were rolled back. Their timers are stored, but no longer armed.
  store.onRecovery(() =>
    options.systemClock.nextTurn(() => {
      timeline.disarmAll()
      armAll(engine, timeline)
    }),
  )
  const access = createAccess(
    options.control,
    () => sandboxUsesDevelopmentCredentials(engine, defaultShop, atStart.seed?.shops),
    options.systemClock.monotonic,
  )
  await beforeStart?.({ isNew, beforeListen: access.beforeListen })
  const overdueSteps = await start(core, atStart, options, isNew)

  let url = payUrl ?? 'http://127.0.0.1:7770'
  const currentDefaultShop = () => readDefaultShop(engine, defaultShop)
  const scenarioContext = (work: CancellableWork): ScenarioContext => ({
    dryRun: work.dryRun === true,
    fetch: (request) => fetch(request, { work }),
    cleanUp: fetch,
    shop: currentDefaultShop(),
    controlToken: options.control?.token,
    systemClock: options.systemClock,
  })
  const { api, fastPath } = createApp({
    ...core,
    systemClock: options.systemClock,
    ...outputs,
    store,
    defaultShop: atStart.shop,
    ...omitUndefined({ seed: atStart.seed, settingOrigins, pspCommand }),
    version: VERSION,
    payUrl: (c) => (payUrl !== undefined || access.control.loopback ? url : pageBase(c, url)),
    control: access.control,
    dashboardFiles: options.dashboardFiles ?? dashboardOfPackage(),
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
      // Even if something else fails, the data directory is written and released.
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
    isNew,
    overdueSteps,
    defaultShop: currentDefaultShop,
    beforeListen: access.beforeListen,
    setBaseUrl(baseUrl) {
      url = payUrl ?? baseUrl
      store.publishUrl(baseUrl)
    },
    setPayUrl(baseUrl) {
      url = payUrl ?? baseUrl
    },
    idle: () => awaitWrites(engine, 'long_change', timeline.idle),
    close: (options = {}) => (closing ??= close(options.grace_ms ?? 2000)),
  }
}

const NOT_APPLIED =
  'The data directory already has data, so the seed is not applied yet. To apply it, run `psp store reset --all`.'

function armAll(engine: Engine, timeline: Timeline): void {
  const { world } = engine
  for (const timer of world.rows('timers')) timeline.arm(timer)
  for (const payment of world.rowsWith('payments', 'status', OPEN_STATUSES)) syncPaymentTimer(timeline, payment)
}

/** Arms the stored timers, creates the first shop, applies the seed and starts the clock. Returns `overdueSteps`. */
async function start({ engine, timeline }: Core, atStart: SandboxStart, options: Assembly, isNew: boolean) {
  const { endpoints = [], clock } = options
  const { world } = engine
  const stored = world.get('state', 'clock')
  const knowsClock = stored !== undefined
  // A clock that cannot be set must fail before anything changes.
  if (clock !== undefined && stored?.id === 'clock') clockChange(stored, clock, options.systemClock.now())
  armAll(engine, timeline)
  // The clock is stored from the start, so after a crash due steps run at their times.
  if (!knowsClock) engine.execute('set_clock', { clock: timeline.clock() })
  if (isNew) engine.execute('initialize', atStart)
  // In the same turn as the commit, so that the start record is written before the line of the journal.
  if (atStart.save() && !isNew) options.notice(NOT_APPLIED)
  addEndpoints(engine, endpoints)
  const { steps, deliveries } = await timeline.start()
  if (clock !== undefined && knowsClock) await timeline.setMode(clock)
  await engine.written()
  return steps - deliveries
}
