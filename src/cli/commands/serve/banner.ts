import type { StartShop } from '../../../sandbox.ts'
import type { Output } from '../../output/output.ts'
import { VERSION } from '../../version.ts'
import type { Reach } from './reach.ts'

export interface BannerFacts {
  readonly url: string
  /** The URL for other machines; absent if they cannot reach the server. */
  readonly sharedUrl: string | undefined
  /** The path that the user gave; absent if everything is in memory. */
  readonly folder: string | undefined
  readonly start: StartShop
  readonly fresh: boolean
  readonly reach: Reach
  /** Description of the clock; absent if it shows the time of the machine. */
  readonly clock: string | undefined
}

/** Prints lines that a developer copies into an .env. They are on stderr, because stdout has the requests. */
export function banner(out: Output, { url, sharedUrl, folder, start, fresh, reach, clock }: BannerFacts): void {
  const { bold, dim, name } = out.notePaint
  const data = folder === undefined ? 'in memory only' : `${folder}${fresh ? ' (new)' : ''}`
  out.note(`${bold('psp')} ${VERSION}  ${name(url)}  ${dim(`data ${data}`)}`)
  if (sharedUrl !== undefined && sharedUrl !== url) out.note(`  Other machines reach it at ${name(sharedUrl)}.`)
  if (clock !== undefined) out.note(`  The clock ${clock}.`)
  out.note('')
  out.note(`  PSP_URL=${url}`)
  out.note(`  PSP_API_KEY=${start.api_key ?? ''}${start.api_key === undefined ? dim('(only its hash is stored)') : ''}`)
  out.note(`  PSP_SIGNING_SECRET=${start.signing_secret}`)
  out.note(`  PSP_WEBHOOK_SECRET=${start.webhook_secret}`)
  out.note('')
  const first = firstCommands(reach)
  const width = Math.max(...first.map(([line]) => line.length)) + 3
  for (const [line, about] of first) out.note(dim(`  ${line.padEnd(width)}${about}`))
  if (reach.control === undefined) {
    out.note(
      dim(
        '  Webhooks are sent to each --endpoint and webhook_url. The control API is off: --control-token turns it on.',
      ),
    )
  }
  out.note(dim('  Ctrl-C stops.'))
  out.note('')
}

/** Returns example commands that work with this server. */
function firstCommands(reach: Reach): readonly (readonly [line: string, about: string])[] {
  const commands: (readonly [string, string])[] = []
  if (reach.control !== undefined) {
    commands.push([reach.control('listen --forward localhost:3000/hooks'), 'webhooks to your application'])
  }
  if (reach.public !== undefined) commands.push([reach.public('payments create --amount 100'), 'a first payment'])
  else if (reach.control !== undefined) commands.push([reach.control('keys create'), 'another API key'])
  return commands
}
