import type { Client } from '../../../client/client.ts'
import type { AttemptView, DeliveryView } from '../../../client/control-types.ts'
import { ConnectionError } from '../../../client/errors.ts'
import { paginate } from '../../../client/paginate.ts'
import { pause } from '../../../domain/promises.ts'
import { UnknownReferenceError } from '../../../scenarios/references.ts'
import {
  type AddedObject,
  removeAdded,
  runScenario,
  type ScenarioReport,
  type StepReport,
} from '../../../scenarios/run-scenario.ts'
import { parseScenario, type Scenario, ScenarioError } from '../../../scenarios/scenario.ts'
import { sanitizeLine, stringifyForTerminal } from '../../../terminal/sanitize.ts'
import { CliError, EXIT_CODES, usageError } from '../../failure.ts'
import { readText } from '../../input/read-input.ts'
import type { Output } from '../../output/output.ts'
import type { Session } from '../../session.ts'
import { DryRunComplete } from '../../target/dry-run.ts'
import { defaultShop } from '../../target/resolve-objects.ts'

/** @throws CliError `not_verified` (exit code 8) if a step does not have the expected result */
export async function triggerScenario(scenario: Scenario, session: Session): Promise<number> {
  const { out, host, dryRun, signals } = session
  if (dryRun !== undefined) {
    // A step may depend on the results of earlier steps, so the server cannot simulate the steps one by one.
    dryRun.remarks.push(...scenario.steps.map((step) => `Would run ${step.do} ${JSON.stringify(step.with ?? {})}.`))
    throw new DryRunComplete(scenario.name)
  }
  const { client } = await session.target('folder')
  if (!out.json) out.note(out.notePaint.dim(scenario.description ?? scenario.name))
  if (!out.json && !namesReceiver(scenario) && !(await hasReceiver(client))) out.note(out.notePaint.warn(NO_RECEIVER))
  const remaining: AddedObject[] = []
  try {
    const onStep = (step: StepReport) => void (out.json || printStep(out, step))
    const perform = async () => {
      const report = await runScenario(scenario, client, {
        systemClock: host.systemClock,
        onStep,
        onRemaining: (added) => void remaining.push(...added),
        signal: signals.ended,
      })
      try {
        await finish(report, scenario, session)
      } finally {
        remaining.push(...(report.ok ? await removeAdded(report.steps.filter(isFault), client) : []))
      }
      return report
    }
    const run = perform()
    // After a signal, the scenario still removes its faults.
    session.keepOpenFor(run)
    const report = await run
    if (!report.ok) throw notAsExpected(scenario, remaining)
    if (remaining.length === 0) return EXIT_CODES.done
  } catch (error) {
    if (error instanceof UnknownReferenceError)
      throw usageError(error.message, 'Correct the reference in the scenario.')
    if (remaining.length === 0 || error instanceof CliError) throw error
    if (error instanceof ConnectionError) throw new CliError('unreachable', error.message, remainingHint(remaining))
    out.note(out.notePaint.warn(remainingHint(remaining)))
    throw error
  }
  throw new CliError('unreachable', `The server cannot be reached after ${scenario.name}.`, remainingHint(remaining))
}

function notAsExpected({ name }: Scenario, remaining: readonly AddedObject[]): CliError {
  const hint = remaining.length === 0 ? 'The step above shows the actual result.' : remainingHint(remaining)
  return new CliError('not_verified', `${name} did not go as expected.`, hint)
}

/** Names the faults and rules that may remain, and the commands that remove them. */
function remainingHint(remaining: readonly AddedObject[]): string {
  return remaining
    .map(({ kind, id, name }) => {
      const noun = kind === 'faults' ? 'fault' : 'rule'
      const what = name === undefined ? noun : `${noun} ${sanitizeLine(name)}`
      return id === undefined
        ? `The ${what} may remain. When the server runs, find and remove it: \`psp ${kind} list\`, \`psp ${kind} remove ID\`.`
        : `The ${what} may remain. When the server runs, remove it: \`psp ${kind} remove ${sanitizeLine(id)}\`.`
    })
    .join('\n')
}

const NO_RECEIVER =
  'No application receives the webhooks. Run `psp listen --forward URL` in another terminal first, or add an endpoint: `psp webhooks endpoints create URL`.'

/** Returns whether a step creates an object with a `webhook_url`. */
function namesReceiver({ steps }: Scenario): boolean {
  return JSON.stringify(steps).includes('webhook_url')
}

/** Returns whether the default shop has an active endpoint, or `psp listen` is connected. */
async function hasReceiver(client: Client): Promise<boolean> {
  const listeners = await client.control.listeners.list()
  if (listeners.items.some(({ connected_at }) => connected_at !== null)) return true
  const endpoints = await client.control.endpoints.list(await defaultShop(client))
  return endpoints.items.some(({ active }) => active)
}

const isFault = (step: StepReport) => step.do === 'faults.add'

/** Waits until the webhooks of the steps are sent, because the faults of the scenario must apply to them. */
async function finish(report: ScenarioReport, scenario: Scenario, session: Session): Promise<void> {
  const { out } = session
  if (out.json) out.document(report)
  if (out.json && !report.steps.some(isFault)) return
  const deliveries = await settledDeliveries(
    report.steps.flatMap(({ result }) => objectOf(result)),
    session,
  )
  if (out.json) return
  printDeliveries(deliveries, out)
  noteClock(scenario, session)
}

const MAX_SCENARIO_BYTES = 16 * 1024 * 1024

export async function readScenarioFile(path: string, session: Session): Promise<Scenario> {
  const text = await readText(path, session, MAX_SCENARIO_BYTES)
  try {
    return parseScenario(JSON.parse(text))
  } catch (error) {
    if (error instanceof ScenarioError)
      throw usageError(`${path}: ${error.message}`, '`psp trigger --list` names examples.')
    if (error instanceof SyntaxError)
      throw usageError(`${path} is not JSON: ${error.message}`, 'Correct it and try again.')
    throw error
  }
}

function printStep(out: Output, { id, do: what, ok, result, missed }: StepReport): void {
  const { good, bad, dim } = out.paint
  out.line(
    `${ok ? good('ok  ') : bad('fail')}  ${labelOf(id, what).padEnd(10)}  ${what.padEnd(18)}  ${dim(idOf(result))}`.trimEnd(),
  )
  const { error } = (result ?? {}) as { error?: { message?: string } }
  if (!ok && error?.message !== undefined) out.line(`      ${sanitizeLine(error.message)}`)
  for (const { path, expected, got } of missed) {
    // The message explains an error that the step does not expect.
    if (path === 'error.code' && expected === null && error?.message !== undefined) continue
    out.line(
      `      ${sanitizeLine(path)}: expected ${stringifyForTerminal(expected)}, got ${stringifyForTerminal(got)}`,
    )
  }
}

/** Returns the name of a step, or its action if it has no name. */
function labelOf(id: string, what: string): string {
  return /^\d+$/.test(id) ? (what.split('.').at(-1) ?? what) : id
}

/** Returns the id of the object of a step, or the error code. */
function idOf(result: unknown): string {
  if (typeof result !== 'object' || result === null) return ''
  const { id, payment, payout, error } = result as Record<string, { id?: string; code?: string } | undefined>
  return sanitizeLine(String(id ?? payment?.id ?? payout?.id ?? error?.code ?? ''))
}

/** The maximum number of checks for webhooks in flight, and the ms between two checks. */
const MAX_CHECKS = 20
const PAUSE = 100

/** Returns the deliveries of the objects, after waiting 2 s at most for those in flight. */
export async function settledDeliveries(
  objects: readonly string[],
  session: Session,
): Promise<readonly DeliveryView[]> {
  const { host, signals } = session
  const { client } = await session.target('folder')
  const ids = [...new Set(objects)]
  const readDeliveries = async () => {
    const lists = await Promise.all(ids.map((object_id) => paginate(client.control.deliveries.list, { object_id })))
    return lists.flatMap((newestFirst) => newestFirst.reverse())
  }
  let found = await readDeliveries()
  for (let at = 1; at < MAX_CHECKS && found.some(isInProgress) && !signals.ended.aborted; at++) {
    await pause(PAUSE, host.systemClock)
    found = await readDeliveries()
  }
  return found
}

/** A scenario moves the clock of the whole sandbox. */
function noteClock({ steps }: Scenario, { out }: Session): void {
  const moves = steps
    .filter((step) => step.do === 'clock.advance')
    .map((step) => String(step.with?.['by'] ?? step.with?.['to'] ?? 'to the next due step'))
  if (moves.length === 0) return
  out.note(
    `The sandbox's clock was moved ahead: ${moves.join(', then ')}. To go back, use \`psp store snapshot NAME\` before and \`psp store restore NAME\` after, or \`psp store reset --all\`.`,
  )
}

function objectOf(result: unknown): string[] {
  const { payment, payout, payment_id, payout_id } = (result ?? {}) as StepResult
  return [payment?.id, payout?.id, payment_id, payout_id].filter((id) => id !== undefined)
}

interface StepResult {
  readonly payment?: { readonly id: string }
  readonly payout?: { readonly id: string }
  readonly payment_id?: string
  readonly payout_id?: string
}

/** Returns whether the first attempt has not ended, or another attempt is in flight. */
function isInProgress({ status, attempts }: DeliveryView): boolean {
  return status === 'sending' || (status === 'waiting' && attempts.length === 0)
}

const responseOf = ({ status, error }: Pick<AttemptView, 'status' | 'error'>) =>
  String(status ?? error ?? 'no response')

export function printDeliveries(deliveries: readonly DeliveryView[], out: Output): void {
  for (const delivery of deliveries) out.note(out.notePaint.dim(lineOf(delivery)))
}

function lineOf({ event, url, status, attempts }: DeliveryView): string {
  const responses = attempts.map((attempt) => [attempt, ...(attempt.copies ?? [])].map(responseOf).join(' and a copy '))
  return `${event} to ${url}: ${responses.length === 0 ? 'not sent yet' : responses.join(', then ')} (${status})`
}
