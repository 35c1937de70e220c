// The report as JUnit XML, for CI.
import XmlBuilder from 'fast-xml-builder'
import { replaceControls } from '../domain/characters.ts'
import type { AuditReport, CheckReport } from './run.ts'

const XML = new XmlBuilder({
  format: true,
  indentBy: '  ',
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  suppressEmptyNode: true,
})

/**
 * A warning becomes a passed test with its text in `system-out`. A check that was not judged becomes a skipped test.
 *
 * @param strict reports a warning as a failed test
 */
export function junitXml({ target, failed, warned, skipped = 0, checks }: AuditReport, strict = false): string {
  const counts = {
    '@tests': checks.length,
    '@failures': failed + (strict ? warned : 0),
    '@errors': 0,
    '@skipped': skipped,
  }
  const xml = XML.build({
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    testsuites: {
      '@name': 'psp audit',
      ...counts,
      testsuite: { '@name': target, ...counts, testcase: checks.map((check) => testCase(check, strict)) },
    },
  })
  return replaceControls(xml)
}

function testCase(check: CheckReport, strict: boolean) {
  const named = { '@classname': 'psp.audit', '@name': `${check.id}: ${check.title}` }
  if (check.result === 'skip') return { ...named, skipped: { '@message': check.got } }
  const text = details(check)
  if (check.result === 'fail' || (strict && check.result === 'warn'))
    return { ...named, failure: { '@message': check.got, '@type': check.id, '#text': text } }
  return check.result === 'warn' ? { ...named, 'system-out': `warning\n${text}` } : named
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
