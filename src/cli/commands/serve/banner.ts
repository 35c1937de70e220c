import type { StartShop } from '../../../sandbox.ts'
import type { Output } from '../../output.ts'
import { VERSION } from '../../version.ts'

export interface BannerFacts {
  readonly url: string
  /** As the user named it; absent: memory only. */
  readonly folder: string | undefined
  readonly start: StartShop
  readonly fresh: boolean
}

/** What a developer copies into an .env. On stderr: stdout is for the requests. Secrets are never styled. */
export function banner(out: Output, { url, folder, start, fresh }: BannerFacts): void {
  const { bold, dim, name } = out.notePaint
  const data = folder === undefined ? 'in memory only' : `${folder}${fresh ? ' (new)' : ''}`
  out.note(`${bold('psp')} ${VERSION}  ${name(url)}  ${dim(`data ${data}`)}`)
  out.note('')
  out.note(`  PSP_URL=${url}`)
  out.note(
    `  PSP_API_KEY=${start.api_key ?? ''}${start.api_key === undefined ? dim('(yours: only its hash is kept)') : ''}`,
  )
  out.note(`  PSP_SIGNING_SECRET=${start.signing_secret}`)
  out.note(`  PSP_WEBHOOK_SECRET=${start.webhook_secret}`)
  out.note('')
  out.note(dim('  psp listen --forward localhost:3000/hooks   webhooks to your application'))
  out.note(dim('  psp payments create --amount 100            a first payment'))
  out.note(dim('  Ctrl-C ends.'))
  out.note('')
}
