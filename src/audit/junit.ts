// The report as JUnit XML, for CI.
import XmlBuilder from 'fast-xml-builder'
import type { AuditReport, CheckReport } from './run.ts'

const XML = new XmlBuilder({
  format: true,
  indentBy: '  ',
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  suppressEmptyNode: true,
})

/**
 * A warning is a passed test with its text in `system-out`; what was not judged is a skipped one.
 *
 * @param strict a warning is a failed test
 */
export function junitXml({ target, failed, warned, skipped = 0, checks }: AuditReport, strict = false): string {
  const counts = {
    '@tests': checks.length,
    '@failures': failed + (strict ? warned : 0),
    '@errors': 0,
    '@skipped': skipped,
  }
  return XML.build({
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    testsuites: {
      '@name': 'psp audit',
      ...counts,
      testsuite: { '@name': writable(target), ...counts, testcase: checks.map((check) => testCase(check, strict)) },
    },
  })
}

function testCase(check: CheckReport, strict: boolean) {
  const named = { '@classname': 'psp.audit', '@name': writable(`${check.id}: ${check.title}`) }
  if (check.result === 'skip') return { ...named, skipped: { '@message': writable(check.got) } }
  const text = writable(details(check))
  if (check.result === 'fail' || (strict && check.result === 'warn'))
    return { ...named, failure: { '@message': writable(check.got), '@type': check.id, '#text': text } }
  return check.result === 'warn' ? { ...named, 'system-out': `warning\n${text}` } : named
}

function details({ sent, expected, got, why, fix }: CheckReport): string {
  return `sent: ${sent}\nexpected: ${expected}\ngot: ${got}\nwhy: ${why}\nfix: ${fix}`
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 has no way to write them
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu

/** What a handler answered may hold characters XML has no way to write. */
function writable(text: string): string {
  return text.replace(UNWRITABLE, '\ufffd')
}
