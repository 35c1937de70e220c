// What `POST /_psp/trigger {scenario}` needs of the layers above, where scenarios stand.
import type { SystemClock } from '../system-clock/system-clock.ts'

/** The sandbox a scenario is played against. */
export interface ScenarioContext {
  /** For the steps: refused with `sandbox_reset` once something else replaced the state. */
  fetch(request: Request): Promise<Response>
  /** For what is to be done after the steps in any case. */
  cleanUp(request: Request): Promise<Response>
  /** Its first shop; `api_key` where its text is known. */
  readonly shop: { readonly shop_id: string; readonly api_key?: string; readonly signing_secret: string }
  readonly controlToken: string | undefined
  /** The scenario is only checked. */
  readonly dryRun?: boolean
  readonly systemClock: SystemClock
}

/** The report of the steps, and what they made. */
export interface PlayedScenario {
  readonly payment_ids: readonly string[]
  readonly refund_ids: readonly string[]
  readonly payout_ids: readonly string[]
  readonly [field: string]: unknown
}

/** Rejects with a refusal `bad_request` for what is no scenario. */
export type PlayScenario = (scenario: unknown, stage: ScenarioContext) => Promise<PlayedScenario>
