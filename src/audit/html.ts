// The report as one HTML file without scripts, to keep with a build or to send to a colleague.
import { html, raw } from 'hono/html'
import { replaceControls } from '../domain/characters.ts'
import { countOf } from '../domain/count-text.ts'
import { readPackageFile } from '../package-files/package-files.ts'
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

function readTokens(): string {
  return readPackageFile(new URL('../http/pages/assets/tokens.css', import.meta.url)).toString()
}

const REPORT_CSS = `
*, *::before, *::after { box-sizing: border-box; }
body { margin: 0; padding: 24px 16px 48px; background: var(--ground); color: var(--ink); font: 16px/1.5 var(--sans); overflow-wrap: anywhere; }
main { max-width: 880px; margin: 0 auto; display: grid; gap: 20px; grid-template-columns: minmax(0, 1fr); }
h1, h2, p, dl, dd, ul, pre { margin: 0; padding: 0; }
code, pre { font: 500 .875em/1.5 var(--mono); }
.quiet, footer, .kind { color: var(--quiet); font-size: .875rem; }
header { display: grid; gap: 6px; padding: 28px clamp(20px, 5vw, 40px); border-radius: var(--radius); background: var(--card); box-shadow: var(--shadow); border-inline-start: 8px solid var(--good); }
header.bad { border-color: var(--bad); }
h1 { font-size: 2.25rem; line-height: 1.15; letter-spacing: -.03em; color: var(--good); }
.bad h1 { color: var(--bad); }
h2 { margin: 8px 0; font-size: 1rem; }
.counts { display: grid; gap: 10px; grid-template-columns: repeat(auto-fit, minmax(8rem, 1fr)); list-style: none; }
.counts li { padding: 12px 18px; border-radius: 16px; color: var(--quiet); background: var(--card); }
.counts strong { display: block; color: var(--ink); font-size: 1.5rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
.counts .fail strong { color: var(--bad); }
.counts .warn strong { color: var(--note); }
.counts .pass strong { color: var(--good); }
section { display: grid; gap: 10px; grid-template-columns: minmax(0, 1fr); }
section > details { --tone: var(--good); --soft: var(--good-soft); padding: 4px 20px; border: 1px solid var(--line); border-radius: 18px; background: var(--card); }
section > .fail { --tone: var(--bad); --soft: var(--bad-soft); }
section > .warn { --tone: var(--note); --soft: var(--note-soft); }
section > .skip { --tone: var(--quiet); --soft: var(--tint); }
summary { padding: 12px 0; cursor: pointer; }
summary:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 6px; }
summary b { margin-inline-end: 6px; padding: 3px 10px; border-radius: 999px; color: var(--tone); background: var(--soft); font-size: .75rem; font-weight: 600; }
summary span { display: block; margin-top: 4px; color: var(--quiet); font-size: .9375rem; }
dl { display: grid; grid-template-columns: minmax(6.5rem, max-content) minmax(0, 1fr); gap: 6px 20px; padding: 8px 0 16px; font-size: .9375rem; }
dt { color: var(--quiet); }
table { width: 100%; border-collapse: collapse; font-size: .875rem; }
th { color: var(--quiet); font-weight: 400; text-align: start; white-space: nowrap; }
th, td { padding: 4px 14px 4px 0; vertical-align: top; }
td { border-top: 1px solid var(--line); }
.request { margin-bottom: 12px; padding: 0 14px; border-radius: 12px; background: var(--tint); font-size: .875rem; }
.request summary { padding: 10px 0; }
.label { margin: 4px 0; color: var(--quiet); font-size: .75rem; }
pre { margin-bottom: 12px; padding: 12px 14px; white-space: pre-wrap; border: 1px solid var(--line); border-radius: 10px; background: var(--card); }
@media (max-width: 560px) { thead { display: none; } tr { display: block; padding: 6px 0; border-top: 1px solid var(--line); } td { display: block; padding: 0; border: 0; } td:nth-child(-n+3) { display: inline; margin-inline-end: 8px; } td:empty { display: none; } td:nth-child(n+4)::before { content: attr(data-title) ': '; color: var(--quiet); } dl { grid-template-columns: minmax(0, 1fr); } dt { margin-top: 6px; } }
@media print { body { background: none; } details { break-inside: avoid; } }
`
