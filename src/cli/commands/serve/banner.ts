import type { StartShop } from '../../../sandbox.ts'
import type { Output } from '../../output/output.ts'
import { VERSION } from '../../version.ts'

export interface BannerFacts {
  readonly url: string
  /** As the user named it; absent: memory only. */
  readonly folder: string | undefined
  readonly start: StartShop
  readonly fresh: boolean
  /** A command in this folder finds the server by itself. */
  readonly found: boolean
  /** What the clock does, unless it shows the time of the machine. */
  readonly clock: string | undefined
}

/** What a developer copies into an .env. On stderr: stdout is for the requests. Secrets are never styled. */
export function banner(out: Output, { url, folder, start, fresh, found, clock }: BannerFacts): void {
  const { bold, dim, name } = out.notePaint
  const data = folder === undefined ? 'in memory only' : `${folder}${fresh ? ' (new)' : ''}`
  out.note(`${bold('psp')} ${VERSION}  ${name(url)}  ${dim(`data ${data}`)}`)
  if (clock !== undefined) out.note(`  The clock ${clock}.`)
  out.note('')
  out.note(`  PSP_URL=${url}`)
  out.note(
    `  PSP_API_KEY=${start.api_key ?? ''}${start.api_key === undefined ? dim('(yours: only its hash is kept)') : ''}`,
  )
  out.note(`  PSP_SIGNING_SECRET=${start.signing_secret}`)
  out.note(`  PSP_WEBHOOK_SECRET=${start.webhook_secret}`)
  out.note('')
  const at = found ? '' : ` --url ${url}`
  const first = [
    [`psp listen --forward localhost:3000/hooks${at}`, 'webhooks to your application'],
    [`psp payments create --amount 100${at}`, 'a first payment'],
  ] as const
  const width = Math.max(...first.map(([line]) => line.length)) + 3
  for (const [line, about] of first) out.note(dim(`  ${line.padEnd(width)}${about}`))
  out.note(dim('  Ctrl-C ends.'))
  out.note('')
}
