// Describes findings for the error of a test.
import { countOf } from '../domain/count-text.ts'
import { type Finding, linesOf, notesOf } from '../explore/finding.ts'

/** @param url the address of the handler; omitted for a function */
export function describeFindings(
  seed: number,
  findings: readonly Finding[],
  files: readonly string[],
  url = 'URL',
): string {
  const count = countOf(findings.length, 'finding')
  const parts = findings.map((finding, at) => describeFinding(finding, url, files[at]))
  return [`The handler breaks a rule: ${count}. Repeat the search with { seed: ${seed} }.`, ...parts].join('\n\n')
}

function describeFinding(finding: Finding, url: string, file?: string): string {
  const { id, title, rows, rate, got, expected, fix, probe } = finding
  const lines = linesOf(rows).map(({ label, sent, response, state, expected: truth }) => {
    const after = state === '' ? '' : `; state ${state}; true state ${truth}`
    return `  ${label} ${sent}: ${response}${after}`
  })
  return [
    `${id}: ${title}`,
    ...lines,
    ...notesOf(finding).map((note) => `  ${note}`),
    `  got: ${got}`,
    `  expected: ${expected}`,
    ...(rate.of === 1 ? [] : [`  rate: ${rate.failed} of ${rate.of} times`]),
    `  fix: ${fix}`,
    ...(file === undefined ? [] : [`  replay: psp audit ${url}${probeFlag(probe)} --replay ${file}`]),
  ].join('\n')
}

/** Returns the flag that replaces a test's probe function. A replay needs an address with the same values. */
function probeFlag(probe: Finding['probe']): string {
  if (probe === undefined) return ''
  return probe.isPerOrder ? " --probe 'orders/{order_id}'" : ' --probe balance'
}
