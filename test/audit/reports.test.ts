import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { describe, expect, test } from 'vitest'
import { htmlPage } from '../../src/audit/html.ts'
import { junitXml } from '../../src/audit/junit.ts'
import type { AuditReport } from '../../src/audit/run.ts'

/** Characters that are not text: C0, DEL, C1, bidirectional overrides, a noncharacter, a tag, a lone surrogate. */
const RAW = [
  '\u0000',
  '\u0008',
  '\u001b',
  '\u007f',
  '\u009b',
  '\u202e',
  '\u2066',
  '\ufffe',
  '\u{e0041}',
  '\ud800',
  '\r',
]
const EVIL = `</failure><script>alert("x")</script> & ]]> ${RAW.join('[2J')} Ёж 🦔`
const check = (id: string, result: 'pass' | 'fail' | 'warn' | 'skip') => ({
  id,
  title: `does "${id}" & more`,
  result,
  sent: 'an <event>',
  expected: '2xx',
  got: EVIL,
  why: "it's so",
  fix: 'mend it',
})
const report: AuditReport = {
  target: 'http://localhost:3000/hooks?a=1&b="2"',
  passed: 1,
  failed: 1,
  warned: 1,
  skipped: 1,
  checks: [check('one', 'pass'), check('two', 'fail'), check('three', 'warn'), check('four', 'skip')],
}

describe('the JUnit report', () => {
  const xml = junitXml(report)

  test('is valid XML, whatever the handler responds', () => {
    expect(XMLValidator.validate(xml)).toBe(true)
    for (const mark of RAW) expect(xml).not.toContain(mark)
    expect(xml).not.toContain('<script')
  })

  test('contains the counts, names and details of the checks', () => {
    const parsed = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '' }).parse(xml)
    const suite = parsed.testsuites.testsuite
    expect(parsed.testsuites).toMatchObject({ name: 'psp audit', tests: '4', failures: '1', errors: '0', skipped: '1' })
    expect(suite).toMatchObject({ tests: '4', failures: '1' })
    expect(suite.testcase).toMatchObject([
      { classname: 'psp.audit' },
      { failure: { type: 'two', message: expect.stringContaining('Ёж 🦔') } },
      { 'system-out': expect.stringContaining('fix: mend it') },
      { skipped: { message: expect.stringContaining('Ёж 🦔') } },
    ])
    expect(suite.testcase[0]).not.toHaveProperty('failure')
    expect(suite.testcase[2]).not.toHaveProperty('failure')
  })
})

describe('the HTML report', () => {
  const page = htmlPage(report, '2026-05-06T12:00:00Z')

  test('replaces each control character of the handler by a visible one', () => {
    for (const mark of RAW) expect(page).not.toContain(mark)
    expect(page).toContain('\ufffd[2J')
  })

  test('escapes the markup of the handler', () => {
    expect(page).not.toContain('<script')
    expect(page).toContain('&lt;/failure&gt;&lt;script&gt;')
    expect(page).toContain('hooks?a=1&amp;b=&quot;2&quot;')
  })

  test('contains each check, and opens those that need a fix', () => {
    expect(page).toContain('1 passed, 1 failed, 1 warned, 1 skipped.')
    expect(page.match(/<details class="\w+" open>/g)).toHaveLength(2)
    expect(page.match(/How to fix it/g)).toHaveLength(4)
  })
})
