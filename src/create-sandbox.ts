import { isJsonObject } from './domain/json-values.ts'
import { requireKnownOptions } from './domain/known-options.ts'
import { omitUndefined } from './domain/omit-undefined.ts'
import { requireAddress } from './domain/typed-address.ts'
import { quote } from './domain/zod-messages.ts'
import { assembleSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts'
import { lazyRunInSandbox } from './scenarios/lazy-run-in-sandbox.ts'

const OPTIONS = {
  folder: true,
  durable: true,
  store: true,
  settings: true,
  settingOrigins: true,
  pspCommand: true,
  clock: true,
  randomSeed: true,
  shard: true,
  credentials: true,
  seed: true,
  endpoints: true,
  payUrl: true,
  control: true,
  dashboardFiles: true,
  holdDeliveries: true,
  runScenario: true,
  transport: true,
  systemClock: true,
  notice: true,
  onInternalError: true,
} satisfies Record<keyof SandboxOptions, true>

/**
 * Creates a payment service provider in this process. Rejects with a TypeError if an option is unknown. Otherwise a
 * sandbox with a misspelt `folder` would store nothing.
 * @throws StoreLockedError, StoreDamagedError, SettingError, RefusalError, TypeError
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  if (!isJsonObject(options as unknown)) {
    throw new TypeError(`createSandbox takes an object, such as { folder: '.psp' }; it got ${quote(options)}.`)
  }
  requireKnownOptions('createSandbox', options, Object.keys(OPTIONS))
  const { endpoints, payUrl, seed } = options
  if (seed !== undefined && !isJsonObject(seed)) {
    throw new TypeError(`seed: expected an object, the JSON of a seed file, got ${quote(seed)}.`)
  }
  const addresses = omitUndefined({
    endpoints: endpoints?.map((url) => requireAddress(url, 'receiver', 'endpoints')),
    payUrl: payUrl === undefined ? undefined : requireAddress(payUrl, 'server', 'payUrl'),
  })
  return await assembleSandbox({ runScenario: lazyRunInSandbox, ...options, ...addresses })
}
