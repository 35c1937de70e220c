// The report as JUnit XML: a test for each check.
import { type JunitTest, junitXml } from '../domain/junit.ts'
import type { AuditReport, CheckReport } from './run.ts'

/**
 * A warning becomes a passed test with its text in `system-out`. A check that was not judged becomes a skipped test.
 *
 * @param strict reports a warning as a failed test
 */
export function auditJunit({ target, checks }: AuditReport, strict = false): string {
  return junitXml(
    'audit',
    target,
    checks.map((check) => toTest(check, strict)),
  )
}

function toTest(check: CheckReport, strict: boolean): JunitTest {
  const { id, result, got } = check
  const name = `${id}: ${check.title}`
  if (result === 'skip') return { name, skipped: got }
  const text = details(check)
  if (result === 'fail' || (strict && result === 'warn')) return { name, failure: { message: got, type: id, text } }
  return result === 'warn' ? { name, output: `warning\n${text}` } : { name }
}

function details({ sent, expected, got, why, fix, table, note, replay }: CheckReport): string {
  const states = (table ?? []).slice(1).map(([label, message, response, after, real]) => {
    const state = after ? `; state ${after}; true state ${real}` : ''
    return `  ${label} ${message}: ${response}${state}`
  })
  const notes = note === undefined ? [] : [`  ${note}`]
  const lines = [
    `sent: ${sent}`,
    ...states,
    ...notes,
    `expected: ${expected}`,
    `got: ${got}`,
    `why: ${why}`,
    `fix: ${fix}`,
  ]
  return [...lines, ...(replay === undefined ? [] : [`replay: ${replay}`])].join('\n')
}
