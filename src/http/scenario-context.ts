// Ports for `POST /_psp/trigger {scenario}`. Scenarios belong to a layer above this one.
import type { SystemClock } from '../system-clock/system-clock.ts'

/** The sandbox that a scenario runs against. */
export interface ScenarioContext {
  /** Sends the request of a step. Fails with `sandbox_reset` if another request replaced the state. */
  fetch(request: Request): Promise<Response>
  /** Sends a request after the steps, even if the state was replaced. */
  cleanUp(request: Request): Promise<Response>
  /** The default shop of the sandbox. `api_key` is absent if psp has only the hash of the key. */
  readonly shop: { readonly shop_id: string; readonly api_key?: string; readonly signing_secret: string }
  readonly controlToken: string | undefined
  /** True if the scenario is only validated, and none of its steps run. */
  readonly dryRun?: boolean
  readonly systemClock: SystemClock
}

/** The report of the steps, with the ids of the created objects. */
export interface ScenarioResult {
  readonly payment_ids: readonly string[]
  readonly refund_ids: readonly string[]
  readonly payout_ids: readonly string[]
  readonly [field: string]: unknown
}

/** Runs a scenario. Rejects with RefusalError `bad_request` if it is not a scenario. */
export type RunScenario = (scenario: unknown, context: ScenarioContext) => Promise<ScenarioResult>
