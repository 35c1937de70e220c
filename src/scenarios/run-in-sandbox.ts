// Runs a scenario in the sandbox itself, for `POST /_psp/trigger {scenario}`.

import { type Client, createClient } from '../client/client.ts'
import { ApiError } from '../client/errors.ts'
import { quoteText } from '../domain/characters.ts'
import { refuse } from '../domain/errors.ts'
import { UnknownReferenceError } from './references.ts'
import { runScenario, type ScenarioReport, type StepReport } from './run-scenario.ts'
import { parseScenario, type Scenario, ScenarioError } from './scenario.ts'
import { findShippedScenario } from './shipped-scenarios.ts'
import type { WaitPorts } from './wait-for-event.ts'

export interface SandboxScenarioContext extends WaitPorts {
  fetch(request: Request): Promise<Response>
  /** Like `fetch`, but also works after the state was replaced. */
  cleanUp(request: Request): Promise<Response>
  readonly shop: { readonly shop_id: string; readonly api_key?: string; readonly signing_secret: string }
  readonly controlToken: string | undefined
  /** Whether the scenario is only checked. */
  readonly dryRun?: boolean
}

export interface SandboxScenarioReport extends ScenarioReport {
  readonly payment_ids: readonly string[]
  readonly refund_ids: readonly string[]
  readonly payout_ids: readonly string[]
  readonly [field: string]: unknown
}

/**
 * @param scenarioOrName the name of a shipped scenario, or a scenario
 * @throws RefusalError `bad_request` that names the invalid part
 */
export async function runInSandbox(
  scenarioOrName: unknown,
  context: SandboxScenarioContext,
): Promise<SandboxScenarioReport> {
  try {
    const scenario = resolveScenario(scenarioOrName)
    // A dry run performs no step, because most steps need the objects that earlier steps create.
    if (context.dryRun === true) return { name: scenario.name, ok: true, steps: [], ...collectIds([]) }
    const report = await withApiKey(context, (client) =>
      runScenario(scenario, client, { systemClock: context.systemClock }),
    )
    return { ...report, ...collectIds(report.steps) }
  } catch (error) {
    if (error instanceof ScenarioError) throw refuse('bad_request', `scenario: ${error.message}`)
    if (error instanceof UnknownReferenceError) throw refuse('bad_request', `scenario: ${error.message}`)
    throw error
  }
}

function resolveScenario(scenarioOrName: unknown): Scenario {
  if (typeof scenarioOrName !== 'string') return parseScenario(scenarioOrName)
  const shipped = findShippedScenario(scenarioOrName)
  if (shipped !== undefined) return shipped
  throw new ScenarioError(`${quoteText(scenarioOrName)} does not exist. \`psp trigger --list\` lists all names.`)
}

/** Creates a temporary API key if the shop's key is unknown, because only hashes of keys are stored. */
async function withApiKey<T>(context: SandboxScenarioContext, work: (client: Client) => Promise<T>): Promise<T> {
  const { shop_id, api_key, signing_secret } = context.shop
  const clientWith = (apiKey: string | undefined, fetch = context.fetch) =>
    createClient({
      fetch: (url, init) => fetch(new Request(url, init)),
      baseUrl: 'http://127.0.0.1',
      apiKey,
      signingSecret: signing_secret,
      controlToken: context.controlToken,
    })
  if (api_key !== undefined) return await work(clientWith(api_key))
  const { keys } = clientWith(undefined).control
  const key = await keys.create(shop_id, { mode: 'test' })
  try {
    return await work(clientWith(key.api_key))
  } finally {
    await clientWith(undefined, context.cleanUp).control.keys.revoke(key.id).catch(unlessGone)
  }
}

/** Ignores that the key is gone: a full reset deletes it, and an import or a restore replaces all keys. */
function unlessGone(error: unknown): void {
  if (!(error instanceof ApiError && error.status === 404)) throw error
}

function collectIds(steps: readonly StepReport[]) {
  const found = steps.map(({ do: what, result }) => idsOf(what, (result ?? {}) as StepResult))
  const all = (name: keyof CreatedIds) => [...new Set(found.flatMap((ids) => ids[name] ?? []))]
  return { payment_ids: all('payment_id'), refund_ids: all('refund_id'), payout_ids: all('payout_id') }
}

interface CreatedIds {
  readonly payment_id?: string | undefined
  readonly refund_id?: string | undefined
  readonly payout_id?: string | undefined
}

interface StepResult extends CreatedIds {
  readonly id?: string
  readonly payment?: { readonly id: string }
  readonly payout?: { readonly id: string }
}

function idsOf(what: string, { id, payment, payout, payment_id, refund_id, payout_id }: StepResult): CreatedIds {
  if (what === 'payments.create') return { payment_id: payment?.id }
  if (what === 'payouts.create') return { payout_id: payout?.id }
  if (what === 'payments.refund') return { refund_id: id }
  return what === 'trigger' ? { payment_id, refund_id, payout_id } : {}
}
