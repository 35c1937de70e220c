// The report as JUnit XML: a test for each operation.

import XmlBuilder from 'fast-xml-builder'
import { replaceControls } from '../../domain/characters.ts'
import { countOf } from '../../domain/count-text.ts'
import type { CompareReport, ReportedDifference } from './compare-recording.ts'
import { DIFFERENCE_KINDS } from './difference.ts'

const XML = new XmlBuilder({
  format: true,
  indentBy: '  ',
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  suppressEmptyNode: true,
})

export function compareJunit(file: string, { operations, differences }: CompareReport): string {
  const names = [...new Set([...operations, ...differences.map(({ operation }) => operation)])]
  const failed = new Set(differences.map(({ operation }) => operation))
  const counts = { '@tests': names.length, '@failures': failed.size, '@errors': 0, '@skipped': 0 }
  const xml = XML.build({
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    testsuites: {
      '@name': 'psp compare',
      ...counts,
      testsuite: {
        '@name': file,
        ...counts,
        testcase: names.map((name) =>
          testCase(
            name,
            differences.filter(({ operation }) => operation === name),
          ),
        ),
      },
    },
  })
  return replaceControls(xml)
}

function testCase(name: string, differences: readonly ReportedDifference[]) {
  const named = { '@classname': 'psp.compare', '@name': name }
  if (differences.length === 0) return named
  const message = countOf(differences.length, 'difference')
  return {
    ...named,
    failure: { '@message': message, '@type': 'difference', '#text': differences.map(line).join('\n') },
  }
}

function line({ kind, at, recorded, sandbox, count, entry, setting }: ReportedDifference): string {
  const fix = setting === undefined ? '' : ` (setting ${setting})`
  const field = at === '' ? '' : ` ${at}`
  return `${DIFFERENCE_KINDS[kind]}${field}: recorded ${recorded}, sandbox ${sandbox}, ${countOf(count, 'time')}, entry ${entry}${fix}`
}
