// The package's public API: a payment service provider in this process, an HTTP server for it, and a client.

export { type Client, createClient } from './client/client.ts'
export { ApiError, ConnectionError } from './client/errors.ts'
export type { ClientOptions } from './client/http-client.ts'
export { createSandbox } from './create-sandbox.ts'
export { PortUnavailableError, type RunningServer, type ServerOptions, startServer } from './node/server.ts'
export {
  type DefaultShop,
  ExposedCredentialsError,
  type Sandbox,
  type SandboxOptions,
  VERSION,
  WeakControlTokenError,
} from './sandbox.ts'
export { SettingError, type SettingName, type SettingValues, type SomeSettings } from './settings.ts'
export { createSystemClock, type SystemClock } from './system-clock/system-clock.ts'
