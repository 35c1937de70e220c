// The report as one HTML file without scripts, to keep with a build or to send to a colleague.
import { html, raw } from 'hono/html'
import { replaceControls } from '../domain/characters.ts'
import type { AuditReport, CheckReport } from './run.ts'

const WORDS = { pass: 'passed', fail: 'failed', warn: 'warned', skip: 'skipped' } as const

/** @param at the end of the audit, RFC 3339 */
export function htmlPage({ target, passed, failed, warned, skipped = 0, checks }: AuditReport, at: string): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${failed + skipped === 0 ? 'Passed' : 'Failed'}: audit of ${target}</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<main>
<h1>Audit of the webhook handler</h1>
<p><code>${target}</code>, ${at}</p>
<p><strong>${passed} passed, ${failed} failed, ${warned} warned${skipped > 0 ? `, ${skipped} skipped` : ''}.</strong></p>
${checks.map(section)}
</main>
</body>
</html>
`
  return replaceControls(String(page))
}

function section({ id, title, result, sent, expected, got, why, fix }: CheckReport) {
  return html`<details class="${result}"${raw(result === 'pass' || result === 'skip' ? '' : ' open')}>
<summary><b>${WORDS[result]}</b> <code>${id}</code> ${title}</summary>
<dl>
<dt>Sent</dt><dd>${sent}</dd>
<dt>Expected</dt><dd>${expected}</dd>
<dt>Got</dt><dd>${got}</dd>
<dt>Why it matters</dt><dd>${why}</dd>
<dt>How to fix it</dt><dd>${fix}</dd>
</dl>
</details>
`
}

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 52rem; margin: 2rem auto; padding: 0 1rem; }
code { overflow-wrap: anywhere; }
details { border-left: 4px solid #2e7d32; padding: .5rem 1rem; margin: .5rem 0; }
details.fail { border-color: #c62828; }
details.warn { border-color: #b26a00; }
details.skip { border-color: #757575; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; }
dd { margin: 0; overflow-wrap: anywhere; }
`
