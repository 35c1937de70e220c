// What `--dry-run` shows.

import { sanitizeLine, stringifyForTerminal } from '../../terminal/sanitize.ts'
import type { Session } from '../session.ts'
import { foresee } from './dry-run-preview.ts'

/** With `--json`: `{dry_run: true, requests: [{method, url, headers, body}], remarks: [text]}`. @throws what is sure to be refused */
export async function printRehearsal(session: Session): Promise<void> {
  const { out, rehearsal } = session
  if (rehearsal === undefined) return
  const { client } = await session.target()
  const remarks = [...rehearsal.remarks]
  for (const request of rehearsal.planned) remarks.push(...(await foresee(request, client, session)))
  const requests = rehearsal.planned.map(({ sent: _, ...shown }) => shown)
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
  out.note(out.notePaint.dim('Dry run: nothing was changed.'))
}
