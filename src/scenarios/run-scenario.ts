// Runs the steps of a scenario until one has an unexpected result.
import { isDeepStrictEqual } from 'node:util'
import type { Client } from '../client/client.ts'
import { ApiError, ConnectionError } from '../client/errors.ts'
import { getPath } from '../domain/json-values.ts'
import { omitUndefined } from '../domain/omit-undefined.ts'
import { unlessAborted } from '../domain/promises.ts'
import type { Fields } from './operation.ts'
import { OPERATIONS } from './operations.ts'
import { resolveReferences } from './references.ts'
import type { Scenario, Step } from './scenario.ts'
import { type WaitPorts, waitForEvent } from './wait-for-event.ts'

export interface StepReport {
  /** The step's id, or its number from 1. */
  readonly id: string
  readonly do: string
  readonly ok: boolean
  /** The result of the operation, or `{error: {code, message, status}}` if it was rejected. */
  readonly result: unknown
  /** The expected values that differ from the result. */
  readonly missed: readonly Mismatch[]
}

export interface Mismatch {
  readonly path: string
  readonly expected: unknown
  readonly got: unknown
}

export interface ScenarioReport {
  readonly name: string
  readonly ok: boolean
  readonly steps: readonly StepReport[]
}

export interface RunOptions extends WaitPorts {
  readonly onStep?: (report: StepReport) => void
  /** Called if the scenario ends early, and a fault or rule that it added could not be removed. */
  readonly onRemaining?: (added: readonly AddedObject[]) => void
  /** Ends the scenario, also during a step. */
  readonly signal?: AbortSignal
}

export interface AddedObject {
  readonly kind: 'faults' | 'rules'
  /** Absent if the response with the id was lost. */
  readonly id?: string
  /** The fault, such as `hold`. */
  readonly name?: string
}

/**
 * Runs the steps in order. An error response of the API is a result, which a step may expect.
 * If the scenario ends early, the faults and rules that it added are removed.
 * Rejects if it is aborted, or if the server is unreachable and the step does not expect `error.code` `unreachable`.
 */
export async function runScenario(scenario: Scenario, client: Client, options: RunOptions): Promise<ScenarioReport> {
  const results = new Map<string, unknown>()
  const steps: StepReport[] = []
  const performed: PerformedStep[] = []
  let adding: AddingStep | undefined
  let isOk = false
  try {
    for (const [at, step] of scenario.steps.entries()) {
      options.signal?.throwIfAborted()
      const id = step.id ?? String(at + 1)
      const fields = resolveReferences(step.with ?? {}, results) as Fields
      const work = performStep(step, fields, client, options).then((result) => {
        performed.push({ do: step.do, with: fields, result })
        return result
      })
      adding = ADDED.test(step.do) ? { step, work } : undefined
      const result = await unlessAborted(work, options.signal)
      results.set(id, result)
      const missed = findMismatches(result, resolveReferences(step.expect ?? {}, results) as Fields)
      const report = { id, do: step.do, ok: missed.length === 0, result, missed }
      steps.push(report)
      options.onStep?.(report)
      if (!report.ok) break
    }
    isOk = steps.every(({ ok }) => ok)
  } finally {
    if (!isOk) {
      const remaining = await cleanUp(performed, adding, client)
      if (remaining.length > 0) options.onRemaining?.(remaining)
    }
  }
  return { name: scenario.name, ok: isOk, steps }
}

type PerformedStep = Pick<StepReport, 'do' | 'result'> & {
  /** The fields of the step, with references replaced by their values. */
  readonly with?: Fields
}

interface AddingStep {
  readonly step: Step
  readonly work: Promise<unknown>
}

/**
 * Removes the faults and rules that a scenario added before it ended early. Returns those that may remain.
 * @param adding the last step, if it adds a fault or rule. Its request may still be in flight.
 */
async function cleanUp(
  performed: readonly PerformedStep[],
  adding: AddingStep | undefined,
  client: Client,
): Promise<AddedObject[]> {
  let addError: unknown
  // The server may add the fault or rule after the scenario was aborted.
  await adding?.work.catch((error: unknown) => {
    addError = error
  })
  const remaining = await removeAdded(performed, client)
  if (adding !== undefined && addError instanceof ConnectionError && addError.sent)
    remaining.push(addedBy(adding.step.do, adding.step.with))
  return remaining
}

const ADDED = /^(faults|rules)\.add$/
const REMOVED = /^(faults|rules)\.remove$/

function addedBy(what: string, fields: Fields | undefined, id?: string): AddedObject {
  const fault = fields?.['fault']
  const name = typeof fault === 'string' ? fault : undefined
  return omitUndefined({ kind: what === 'faults.add' ? ('faults' as const) : ('rules' as const), id, name })
}

/**
 * Removes the faults and rules that the steps added. Returns those that may remain. Never rejects, because its error
 * would hide the one that ended the scenario.
 */
export async function removeAdded(steps: readonly PerformedStep[], { control }: Client): Promise<AddedObject[]> {
  const remaining: AddedObject[] = []
  const removed = steps.filter((step) => REMOVED.test(step.do) && getPath(step.result, 'error') === undefined)
  for (const step of steps) {
    const result = (step.result ?? {}) as Fields
    const { id } = result
    if (!ADDED.test(step.do) || typeof id !== 'string' || removed.some((other) => other.with?.['id'] === id)) continue
    const added = addedBy(step.do, result, id)
    try {
      await control[added.kind].remove(id)
    } catch (error) {
      const isGone = error instanceof ApiError && error.status === 404
      if (!isGone) remaining.push(added)
    }
  }
  return remaining
}

async function performStep(step: Step, fields: Fields, client: Client, ports: WaitPorts): Promise<unknown> {
  try {
    if (step.do === 'wait') return await waitForEvent(client, fields, ports)
    return await OPERATIONS[step.do]?.call(client, fields)
  } catch (error) {
    // The step expects that a fault closes the connection.
    if (error instanceof ConnectionError && step.expect?.['error.code'] === 'unreachable') {
      return { error: { code: 'unreachable', message: error.message } }
    }
    if (!(error instanceof ApiError)) throw error
    return { error: { code: error.code, message: error.message, status: error.status } }
  }
}

function findMismatches(result: unknown, expected: Fields): Mismatch[] {
  const missed = Object.entries(expected).flatMap(([path, expectedValue]) => {
    const got = getPath(result, path)
    return isDeepStrictEqual(got, expectedValue) ? [] : [{ path, expected: expectedValue, got: got ?? null }]
  })
  const errorCode = getPath(result, 'error.code')
  const expectsAnyError = Object.keys(expected).some((path) => path === 'error' || path.startsWith('error.'))
  return errorCode === undefined || expectsAnyError
    ? missed
    : [{ path: 'error.code', expected: null, got: errorCode }, ...missed]
}
