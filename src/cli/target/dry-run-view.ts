// Prints the result of `--dry-run`.

import { sanitizeLine, stringifyForTerminal } from '../../terminal/sanitize.ts'
import type { Session } from '../session.ts'
import { previewEffects } from './dry-run-preview.ts'

/** With `--json`: `{dry_run: true, requests: [{method, url, headers, body, response}], remarks: [text]}`. */
export async function printDryRun(session: Session): Promise<void> {
  const { out, dryRun } = session
  if (dryRun === undefined) return
  const { client } = await session.target()
  const remarks = [...dryRun.remarks]
  for (const request of dryRun.planned) remarks.push(...(await previewEffects(request, client)))
  const requests = dryRun.planned
  if (out.json) {
    out.document({ dry_run: true, requests, remarks })
    return
  }
  for (const { method, url, headers, body } of requests) {
    out.line(`${out.paint.bold(method)} ${sanitizeLine(url)}`)
    for (const [name, value] of Object.entries(headers)) out.line(sanitizeLine(`${name}: ${value}`))
    if (body !== undefined) out.line(typeof body === 'string' ? sanitizeLine(body) : stringifyForTerminal(body, 2))
  }
  for (const remark of remarks) out.line(sanitizeLine(remark))
  const isDecided = requests.every(({ response }) => response !== undefined)
  out.note(out.notePaint.dim(isDecided ? 'Dry run: nothing was changed.' : NOT_DECIDED))
}

const NOT_DECIDED = 'Dry run: nothing was sent. This server has no dry run, so the result is unknown.'
