// Plays a scenario for the sandbox itself: `POST /_psp/trigger {scenario}`. Loaded when the first one is posted.
import { type Client, createClient } from '../client/client.ts'
import { refuse } from '../domain/errors.ts'
import { UnknownReferenceError } from './references.ts'
import { runScenario, type ScenarioReport, type StepReport } from './run-scenario.ts'
import { parseScenario, type Scenario, ScenarioError } from './scenario.ts'
import { findShippedScenario } from './shipped-scenarios.ts'
import type { WaitPorts } from './wait-for-event.ts'

export interface ScenarioContext extends WaitPorts {
  fetch(request: Request): Promise<Response>
  readonly start: { readonly shop_id: string; readonly api_key?: string; readonly signing_secret: string }
  readonly control_token: string | undefined
}

export interface PlayedScenario extends ScenarioReport {
  readonly payment_ids: readonly string[]
  readonly refund_ids: readonly string[]
  readonly payout_ids: readonly string[]
  readonly [field: string]: unknown
}

/**
 * @param optionalList the name of a shipped scenario, or a scenario itself
 * @throws Refusal `bad_request` that names the place
 */
export async function playScenario(optionalList: unknown, stage: ScenarioContext): Promise<PlayedScenario> {
  try {
    const scenario = resolveScenario(optionalList)
    const report = await withApiKey(stage, (client) => runScenario(scenario, client, { wall: stage.wall }))
    return { ...report, ...collectIds(report.steps) }
  } catch (error) {
    if (error instanceof ScenarioError) throw refuse('bad_request', `scenario: ${error.message}`)
    if (error instanceof UnknownReferenceError) throw refuse('bad_request', `scenario: ${error.message}`)
    throw error
  }
}

function resolveScenario(given: unknown): Scenario {
  if (typeof given !== 'string') return parseScenario(given)
  const shipped = findShippedScenario(given)
  if (shipped !== undefined) return shipped
  throw new ScenarioError(`none is called ${JSON.stringify(given.slice(0, 80))}. \`psp trigger --list\` names them.`)
}

/** Only the hash of a key is kept: where its text is not known, one is made for as long as the scenario plays. */
async function withApiKey<T>(stage: ScenarioContext, play: (client: Client) => Promise<T>): Promise<T> {
  const { shop_id, api_key, signing_secret } = stage.start
  const clientWith = (apiKey: string | undefined) =>
    createClient({
      fetch: (url, init) => stage.fetch(new Request(url, init)),
      baseUrl: 'http://127.0.0.1',
      apiKey,
      signingSecret: signing_secret,
      controlToken: stage.control_token,
    })
  if (api_key !== undefined) return await play(clientWith(api_key))
  const { keys } = clientWith(undefined).control
  const made = await keys.create(shop_id, { mode: 'test' })
  try {
    return await play(clientWith(made.api_key))
  } finally {
    await keys.revoke(made.id)
  }
}

type CreatedIds = Pick<PlayedScenario, 'payment_ids' | 'refund_ids' | 'payout_ids'>

function collectIds(steps: readonly StepReport[]): CreatedIds {
  const made = steps.map(({ do: what, result }) => collectStepIds(what, (result ?? {}) as StepResult))
  const all = (name: keyof CreatedIds) => [...new Set(made.flatMap((ids) => ids[name] ?? []))]
  return { payment_ids: all('payment_ids'), refund_ids: all('refund_ids'), payout_ids: all('payout_ids') }
}

interface StepResult {
  readonly id?: string
  readonly payment?: { readonly id: string }
  readonly payout?: { readonly id: string }
  readonly payment_id?: string
  readonly refund_id?: string
  readonly payout_id?: string
}

function collectStepIds(what: string, result: StepResult): { readonly [N in keyof CreatedIds]?: readonly string[] } {
  const { id, payment, payout, payment_id, refund_id, payout_id } = result
  if (what === 'payments.create') return { payment_ids: given(payment?.id) }
  if (what === 'payouts.create') return { payout_ids: given(payout?.id) }
  if (what === 'payments.refund') return { refund_ids: given(id) }
  if (what !== 'trigger') return {}
  return { payment_ids: given(payment_id), refund_ids: given(refund_id), payout_ids: given(payout_id) }
}

function given(id: string | undefined): readonly string[] {
  return id === undefined ? [] : [id]
}
