// The report as JUnit XML: a test for each operation.
import { countOf } from '../../domain/count-text.ts'
import { junitXml } from '../../domain/junit.ts'
import type { CompareReport, ReportedDifference } from './compare-recording.ts'
import { DIFFERENCE_KINDS } from './difference.ts'

export function compareJunit(file: string, { operations, differences }: CompareReport): string {
  const names = [...new Set([...operations, ...differences.map(({ operation }) => operation)])]
  const tests = names.map((name) => {
    const found = differences.filter(({ operation }) => operation === name)
    if (found.length === 0) return { name }
    const message = countOf(found.length, 'difference')
    return { name, failure: { message, type: 'difference', text: found.map(line).join('\n') } }
  })
  return junitXml('compare', file, tests)
}

function line({ kind, at, recorded, sandbox, count, entry, setting }: ReportedDifference): string {
  const fix = setting === undefined ? '' : ` (setting ${setting})`
  const field = at === '' ? '' : ` ${at}`
  return `${DIFFERENCE_KINDS[kind]}${field}: recorded ${recorded}, sandbox ${sandbox}, ${countOf(count, 'time')}, entry ${entry}${fix}`
}
