import { UnknownReferenceError } from '../../../scenarios/references.ts'
import { runScenario, type StepReport } from '../../../scenarios/run-scenario.ts'
import { parseScenario, type Scenario, ScenarioError } from '../../../scenarios/scenario.ts'
import { sanitizeLine, stringifyForTerminal } from '../../../terminal/sanitize.ts'
import { EXIT_CODES } from '../../exit-codes.ts'
import { CliError, usage } from '../../failure.ts'
import { readText } from '../../input/text-file.ts'
import type { Output } from '../../output/output.ts'
import type { Session } from '../../session.ts'
import { noteAnswers, noteClock } from './trigger-summary.ts'

/** Returns exit code 8 if a step does not have the expected result. */
export async function playScenario(scenario: Scenario, session: Session): Promise<number> {
  const { out, host } = session
  const { client } = await session.target('folder')
  if (!out.json) out.note(out.notePaint.dim(scenario.description ?? scenario.name))
  try {
    const onStep = (step: StepReport) => void (out.json || printStep(out, step))
    const report = await runScenario(scenario, client, { systemClock: host.systemClock, onStep })
    if (out.json) out.document(report)
    else {
      await noteAnswers(report.steps, session)
      noteClock(scenario, session)
    }
    if (report.ok) return EXIT_CODES.done
  } catch (error) {
    if (error instanceof UnknownReferenceError) throw usage(error.message, 'Correct the reference in the scenario.')
    throw error
  }
  throw new CliError(
    'not_verified',
    `${scenario.name} did not go as expected.`,
    'The step above shows the actual result.',
  )
}

export async function readScenarioFile(path: string, session: Session): Promise<Scenario> {
  const text = await readText(path, session)
  try {
    return parseScenario(JSON.parse(text))
  } catch (error) {
    if (error instanceof ScenarioError) throw usage(`${path}: ${error.message}`, '`psp trigger --list` names examples.')
    if (error instanceof SyntaxError) throw usage(`${path} is not JSON: ${error.message}`, 'Correct it and try again.')
    throw error
  }
}

function printStep(out: Output, { id, do: what, ok, result, missed }: StepReport): void {
  const { good, bad, dim } = out.paint
  out.line(
    `${ok ? good('ok  ') : bad('fail')}  ${labelOf(id, what).padEnd(10)}  ${what.padEnd(18)}  ${dim(idOf(result))}`.trimEnd(),
  )
  for (const { path, expected, got } of missed) {
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
