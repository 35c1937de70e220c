import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { describe, expect, test } from 'vitest'
import { htmlPage } from '../../src/audit/html.ts'
import { auditJunit } from '../../src/audit/junit.ts'
import { type AuditReport, reportOf } from '../../src/audit/run.ts'
import { curlCommand, type SentRequest } from '../../src/audit/sent-request.ts'

const execFileAsync = promisify(execFile)

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
  const xml = auditJunit(report)

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
  const request: SentRequest = {
    url: 'http://localhost:3000/hooks?a=1',
    headers: [['X-PSP-Signature', "t=1,v1='x'"]],
    body: Buffer.from(`{"note":"it's <b>5 ₽</b>"}`),
    isVisit: false,
    response: '500 in 4 ms',
  }
  const at = '2026-05-06T12:00:00Z'
  const page = htmlPage(report, { at, requestsOf: (id) => (id === 'two' ? [request] : []) })

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

  test('begins with the verdict, and lists failures before the other checks', () => {
    expect(page).toContain('<h1>Failed</h1>\n<p>1 of 4 checks failed, and 1 could not be judged.</p>')
    const order = [...page.matchAll(/<summary><b>(\w+)<\/b>/g)].map(([, word]) => word)
    expect(order).toEqual(['failed', 'warned', 'skipped', 'passed'])
    expect(page).toContain('Why it was skipped')
  })

  test.each([
    [['pass', 'warn'], false, 'Passed', 'No check failed, and 1 of 2 checks warned.'],
    [['pass', 'warn'], true, 'Failed', '1 of 2 checks warned, and --strict treats a warning as a failure.'],
    [['pass', 'pass'], true, 'Passed', 'All 2 checks passed.'],
    [['skip'], false, 'Failed', '1 of 1 check could not be judged.'],
  ] as const)('the checks %j with strict %s have the verdict %s', (results, strict, verdict, text) => {
    const of = reportOf(
      'http://localhost/',
      results.map((result, n) => check(String(n), result)),
    )
    expect(htmlPage(of, { at, strict })).toContain(`<h1>${verdict}</h1>\n<p>${text}</p>`)
  })

  test('contains the bytes of each request, escaped', () => {
    expect(page).toContain('Request 1 of 1: 500 in 4 ms')
    expect(page).toContain('POST /hooks?a=1 HTTP/1.1\nHost: localhost:3000\nX-PSP-Signature: t=1,')
    expect(page).toContain('Content-Length: 28\n\n{&quot;note&quot;:&quot;it&#39;s &lt;b&gt;5 ₽&lt;/b&gt;&quot;}')
  })

  test('has the design tokens of the hosted page, and no address of another host', () => {
    expect(page).toContain('--accent: light-dark(')
    expect(page.replace(/localhost/g, '')).not.toMatch(/(?:src|href|url)[=(]/)
  })

  test('shows commands in a fix as code', () => {
    const [first] = report.checks
    if (first === undefined) throw new Error('the report has no check')
    const checks = [{ ...first, fix: 'Run `psp listen --print-secret`.' }]
    const page = htmlPage({ ...report, checks }, { at, requestsOf: () => [] })
    expect(page).toContain('<dd>Run <code>psp listen --print-secret</code>.</dd>')
  })

  test('a long body is truncated and has no command', () => {
    const long = { ...request, body: Buffer.from('a'.repeat(100_000)) }
    const text = htmlPage(report, { at, requestsOf: () => [long] })
    expect(text.length).toBeLessThan(60_000)
    expect(text).toContain('The body is too long for a command.')
  })

  test('the curl command sends the same bytes and headers', async () => {
    const seen: unknown[] = []
    const server = createServer((incoming, response) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk) => chunks.push(chunk))
      incoming.on('end', () => {
        seen.push([incoming.headers['x-psp-signature'], Buffer.concat(chunks).toString('hex')])
        response.end()
      })
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`
    try {
      const bodies = [request.body, Buffer.from([0, 255, 10, 39]), Buffer.from('@/etc/hostname')]
      for (const body of bodies) await execFileAsync('sh', ['-c', curlCommand({ ...request, url, body }) ?? ''])
      expect(seen).toEqual(bodies.map((body) => ["t=1,v1='x'", Buffer.from(body).toString('hex')]))
    } finally {
      server.close()
    }
  })
})
