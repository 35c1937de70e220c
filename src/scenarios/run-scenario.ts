// Plays a scenario, step by step, until one does not give what was expected.
import { isDeepStrictEqual } from 'node:util'
import type { Client } from '../client/client.ts'
import { ApiError, Unreachable } from '../client/errors.ts'
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
  /** The operation's answer; `{error: {code, message, status}}` for a refusal. */
  readonly result: unknown
  /** What was expected and did not come. */
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
 * Refusals are results, to be expected or not; a server that cannot be reached ends everything by an exception, unless
 * the step expects the `error.code` `unreachable`.
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
    if (error instanceof Unreachable && expectsError(step, 'unreachable')) {
      return { error: { code: 'unreachable', message: error.message } }
    }
    if (!(error instanceof ApiError)) throw error
    return { error: { code: error.code, message: error.message, status: error.status } }
  }
}

/** A connection that a fault cuts is a result where the story says so. */
function expectsError({ expect = {} }: Step, code: string): boolean {
  return expect['error.code'] === code
}

function findMismatches(result: unknown, expected: Fields): Mismatch[] {
  const missed = Object.entries(expected).flatMap(([path, wanted]) => {
    const got = getPath(result, path)
    return isDeepStrictEqual(got, wanted) ? [] : [{ path, expected: wanted, got: got ?? null }]
  })
  const refused = getPath(result, 'error.code')
  const foreseen = Object.keys(expected).some((path) => path === 'error' || path.startsWith('error.'))
  return refused === undefined || foreseen ? missed : [{ path: 'error.code', expected: null, got: refused }, ...missed]
}
