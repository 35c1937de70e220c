// The report as one HTML file without scripts, to keep with a build or to send to a colleague.

import { html, raw } from 'hono/html'
import { replaceControls } from '../domain/characters.ts'
import { countOf } from '../domain/count-text.ts'
import { readPackageFile } from '../package-files/package-files.ts'
import { REPORT_CSS } from './report-css.ts'
import type { AuditReport, CheckReport } from './run.ts'
import { curlCommand, requestText, type SentRequest } from './sent-request.ts'

const WORDS = { pass: 'passed', fail: 'failed', warn: 'warned', skip: 'skipped' } as const

/** The groups of checks in the order of the page: those that need work come first. */
const GROUPS = [
  ['fail', 'Failed'],
  ['warn', 'Warnings'],
  ['skip', 'Not judged'],
  ['pass', 'Passed'],
] as const

export interface ReportDetails {
  /** The end of the audit, RFC 3339. */
  readonly at: string
  /** A warning counts as a failure. */
  readonly strict?: boolean
  /** Returns the requests of a check, in the order in which they were sent. */
  readonly requestsOf?: (checkId: string) => readonly SentRequest[]
}

export function htmlPage(report: AuditReport, { at, strict = false, requestsOf = () => [] }: ReportDetails): string {
  const { target, passed, failed, warned, skipped = 0, checks } = report
  const bad = failed + skipped + (strict ? warned : 0)
  const verdict = bad === 0 ? 'Passed' : 'Failed'
  const counts = `${passed} passed, ${failed} failed, ${warned} warned${skipped > 0 ? `, ${skipped} skipped` : ''}.`
  const hasRequests = checks.some(({ id }) => requestsOf(id).length > 0)
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${verdict}: audit of ${target}</title>
<style>${raw(readTokens())}${raw(REPORT_CSS)}</style>
</head>
<body>
<main>
<header class="${bad === 0 ? 'good' : 'bad'}"><p class="kind">Audit of the webhook handler</p>
<h1>${verdict}</h1>
<p>${verdictText(report, strict)}</p>
<p class="quiet"><code>${target}</code>, ${at}</p></header>
<ul class="counts" aria-label="${counts}">${GROUPS.map(([result]) => {
    const count = checks.filter((check) => check.result === result).length
    return html`<li class="${result}"><strong>${count}</strong> ${WORDS[result]}</li>`
  })}</ul>
${GROUPS.map(([result, title]) => {
  const members = checks.filter((check) => check.result === result)
  return (
    members.length > 0 &&
    html`<section><h2>${title}</h2>${members.map((check) => section(check, requestsOf))}</section>`
  )
})}
<footer>${counts}${hasRequests && html` Signatures in the requests are valid for 5 minutes. <code>psp audit --only</code> sends a check again.`}</footer>
</main>
</body>
</html>
`
  return replaceControls(String(page))
}

function verdictText({ checks, failed, warned, skipped = 0 }: AuditReport, strict: boolean): string {
  const of = `of ${countOf(checks.length, 'check')}`
  if (failed > 0) return `${failed} ${of} failed${skipped > 0 ? `, and ${skipped} could not be judged` : ''}.`
  if (skipped > 0) return `${skipped} ${of} could not be judged.`
  if (strict && warned > 0) return `${warned} ${of} warned, and --strict treats a warning as a failure.`
  return warned > 0 ? `No check failed, and ${warned} ${of} warned.` : `All ${checks.length} checks passed.`
}

function section(
  { id, title, result, sent, expected, got, why, fix, table, note, replay }: CheckReport,
  requestsOf: (id: string) => readonly SentRequest[],
) {
  const requests = requestsOf(id)
  return html`<details class="${result}"${raw(result === 'pass' || result === 'skip' ? '' : ' open')}>
<summary><b>${WORDS[result]}</b> <code>${id}</code> <span>${title}</span></summary>
<dl>
<dt>Sent</dt><dd>${table === undefined ? sent : messageTable(table)}${note !== undefined && html`<p>${note}</p>`}</dd>
<dt>Expected</dt><dd>${expected}</dd>
<dt>${result === 'skip' ? 'Why it was skipped' : 'Got'}</dt><dd>${got}</dd>
<dt>Why it matters</dt><dd>${withCode(why)}</dd>
<dt>How to fix it</dt><dd>${withCode(fix)}</dd>
${replay !== undefined && html`<dt>How to replay it</dt><dd><code>${replay}</code></dd>`}
</dl>
${requests.map(
  (
    request,
    at,
  ) => html`<details class="request"><summary>Request ${at + 1} of ${requests.length}: ${request.response}</summary>
<p class="label">Bytes</p><pre>${requestText(request)}</pre>
<p class="label">curl</p><pre>${curlCommand(request) ?? 'The body is too long for a command.'}</pre></details>`,
)}
</details>
`
}

/** Renders text between backticks as code. */
function withCode(text: string) {
  return text.split('`').map((part, at) => (at % 2 === 0 ? part : html`<code>${part}</code>`))
}

function messageTable([head = [], ...rows]: readonly (readonly string[])[]) {
  return html`<table><thead><tr>${head.map((title) => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell, at) => html`<td data-title="${head[at]}">${cell}</td>`)}</tr>`)}</tbody></table>`
}

/** Reads the design tokens of the hosted page. */
function readTokens(): string {
  return readPackageFile(new URL('../http/pages/assets/tokens.css', import.meta.url)).toString()
}
