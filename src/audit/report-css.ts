// The style of the HTML report, in the look of the hosted page. The design tokens precede it in the page.
export const REPORT_CSS = `
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
