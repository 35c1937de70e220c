// The composition root: it creates a sandbox from its options. Only this file and `sandbox/` connect the modules.
import { checkSettings } from './engine/settings-and-clock.ts'
import { assemble } from './sandbox/assemble.ts'
import type { BeforeStart, Sandbox, SandboxOptions } from './sandbox/sandbox-types.ts'
import { checkedSeed } from './sandbox/start.ts'
import type { SettingValues } from './settings.ts'
import { openStore } from './store/open-store.ts'
import { catchTimerErrors, createSystemClock, reportAndContinue } from './system-clock/system-clock.ts'

export { VERSION } from './domain/version.ts'
export type { DefaultShop } from './engine/default-shop.ts'
export { readSeed } from './http/control/seed.ts'
export { ExposedCredentialsError, WeakControlTokenError } from './sandbox/access.ts'
export type { BeforeStart, Sandbox, SandboxOptions } from './sandbox/sandbox-types.ts'

/**
 * Opens the store and starts the sandbox. If the start fails, a data directory that it has created is removed.
 * @param beforeStart called after the data directory is opened and before anything in it changes; it may throw to
 *   prevent the start
 * @throws StoreLockedError, StoreDamagedError, SettingError, RefusalError
 */
export async function assembleSandbox(options: SandboxOptions = {}, beforeStart?: BeforeStart): Promise<Sandbox> {
  const { notice = () => {}, onInternalError = () => {} } = options
  const settings = withoutNull(options.settings)
  checkSettings(settings)
  const seed = options.seed && checkedSeed(options.seed)
  const systemClock = catchTimerErrors(
    options.systemClock ?? createSystemClock(),
    reportAndContinue(notice, onInternalError),
  )
  const store = await openStore({
    folder: options.folder,
    systemClock,
    nextTurn: systemClock.nextTurn,
    settings,
    notice,
    ...(options.durable === undefined ? {} : { durable: options.durable }),
    ...options.store,
  })
  try {
    return await assemble(store, { ...options, seed, systemClock, notice, onInternalError }, beforeStart)
  } catch (error) {
    await store.abandon()
    throw error
  }
}

/** Removes settings that are `null`. As in `PATCH /_psp/settings`, `null` selects the default. */
function withoutNull(values: SettingValues = {}): SettingValues {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
}
