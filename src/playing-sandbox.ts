import { assembleSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts'
import { playScenario } from './scenarios/play-later.ts'

/**
 * A whole payment service provider in this process.
 * @throws StoreLocked, StoreDamaged, SettingError, Refusal
 */
export function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  return assembleSandbox({ runScenario: playScenario, ...options })
}
