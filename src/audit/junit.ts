// The report as JUnit XML, for CI.
import { create } from 'xmlbuilder2'
import type { AuditReport, CheckReport } from './run.ts'

/** A warning is a passed test with its text in `system-out`. */
export function junitXml({ target, failed, checks }: AuditReport): string {
  const counts = { tests: checks.length, failures: failed, errors: 0, skipped: 0 }
  // What a handler answered may hold characters XML has no way to write.
  const root = create({ version: '1.0', encoding: 'UTF-8', invalidCharReplacement: '\ufffd' })
    .ele('testsuites', { name: 'psp audit', ...counts })
    .ele('testsuite', { name: target, ...counts })
  for (const check of checks) {
    const test = root.ele('testcase', { classname: 'psp.audit', name: `${check.id}: ${check.title}` })
    if (check.result === 'fail') test.ele('failure', { message: check.got, type: check.id }).txt(details(check))
    if (check.result === 'warn') test.ele('system-out').txt(`warning\n${details(check)}`)
  }
  return `${root.end({ prettyPrint: true })}\n`
}

function details({ sent, expected, got, why, fix }: CheckReport): string {
  return `sent: ${sent}\nexpected: ${expected}\ngot: ${got}\nwhy: ${why}\nfix: ${fix}`
}
