// Runs the steps of a scenario until one has an unexpected result.
import { isDeepStrictEqual } from 'node:util'
import type { Client } from '../client/client.ts'
import { ApiError, ConnectionError } from '../client/errors.ts'
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
}

/**
 * Runs the steps in order. An error response of the API is a result, which a step may expect.
 * Rejects if the server is unreachable, unless the step expects the `error.code` `unreachable`.
 */
export async function runScenario(scenario: Scenario, client: Client, options: RunOptions): Promise<ScenarioReport> {
  const results = new Map<string, unknown>()
  const steps: StepReport[] = []
  for (const [at, step] of scenario.steps.entries()) {
    const id = step.id ?? String(at + 1)
    const result = await performStep(step, resolveReferences(step.with ?? {}, results) as Fields, client, options)
    results.set(id, result)
    const missed = findMismatches(result, resolveReferences(step.expect ?? {}, results) as Fields)
    const report = { id, do: step.do, ok: missed.length === 0, result, missed }
    steps.push(report)
    options.onStep?.(report)
    if (!report.ok) break
  }
  return { name: scenario.name, ok: steps.every(({ ok }) => ok), steps }
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
