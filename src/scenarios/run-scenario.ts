// Runs the steps of a scenario until one has an unexpected result.
import { isDeepStrictEqual } from 'node:util'
import type { Client } from '../client/client.ts'
import { ApiError, ConnectionError } from '../client/errors.ts'
import { deferred } from '../domain/promises.ts'
import type { Fields } from './operation.ts'
import { OPERATIONS } from './operations.ts'
import { getPath, resolveReferences } from './references.ts'
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
  /** Ends the scenario, also during a step. */
  readonly signal?: AbortSignal
  /** Called for each fault and rule that could not be removed, because the server is unreachable. */
  readonly onLeft?: (left: LeftBehind) => void
}

/** A fault or rule of a scenario that may still be in the sandbox. */
export interface LeftBehind {
  readonly kind: 'faults' | 'rules'
  readonly id: string
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
  let adding: Promise<unknown> | undefined
  let isOk = false
  try {
    for (const [at, step] of scenario.steps.entries()) {
      options.signal?.throwIfAborted()
      const id = step.id ?? String(at + 1)
      const fields = resolveReferences(step.with ?? {}, results) as Fields
      const work = performStep(step, fields, client, options).then((result) => {
        performed.push({ do: step.do, result })
        return result
      })
      adding = ADDED.test(step.do) ? work : undefined
      const result = await abortable(work, options.signal)
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
      // The server may add a fault after the signal.
      await adding?.catch(() => {})
      for (const left of await removeAdded(performed, client)) options.onLeft?.(left)
    }
  }
  return { name: scenario.name, ok: isOk, steps }
}

type PerformedStep = Pick<StepReport, 'do' | 'result'>

const ADDED = /^(faults|rules)\.add$/

/**
 * Removes the faults and rules that the steps added. An error here would hide the one that ended the scenario.
 * @returns those that were not removed, because the server is unreachable
 */
export async function removeAdded(steps: readonly PerformedStep[], { control }: Client): Promise<LeftBehind[]> {
  const left: LeftBehind[] = []
  for (const step of steps) {
    const kind = ADDED.exec(step.do)?.[1] as 'faults' | 'rules' | undefined
    const { id } = (step.result ?? {}) as { readonly id?: string }
    if (kind === undefined || id === undefined) continue
    try {
      await control[kind].remove(id)
    } catch (error) {
      if (error instanceof ConnectionError) left.push({ kind, id })
    }
  }
  return left
}

async function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return await work
  const { promise: aborted, reject } = deferred<never>()
  const stop = () => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

async function performStep(step: Step, fields: Fields, client: Client, ports: WaitPorts): Promise<unknown> {
  try {
    if (step.do === 'wait') return await waitForEvent(client, fields, ports)
    return await OPERATIONS[step.do]?.call(client, fields)
  } catch (error) {
    if (error instanceof ConnectionError && expectsError(step, 'unreachable')) {
      return { error: { code: 'unreachable', message: error.message } }
    }
    if (!(error instanceof ApiError)) throw error
    return { error: { code: error.code, message: error.message, status: error.status } }
  }
}

/** Returns true if the step expects this error, such as a connection that a fault closes. */
function expectsError({ expect = {} }: Step, code: string): boolean {
  return expect['error.code'] === code
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
