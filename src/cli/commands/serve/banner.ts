import { shellWord } from '../../../domain/characters.ts'
import { DEFAULT_SHOP } from '../../../domain/default-shop.ts'
import { isLoopback } from '../../../domain/loopback.ts'
import { VERSION } from '../../../domain/version.ts'
import type { DefaultShop } from '../../../sandbox.ts'
import { CONFIG_FILE } from '../../config/config-file.ts'
import { CONFIG_KEYS } from '../../config/config-keys.ts'
import { invocationName } from '../../host-process.ts'
import { resolvePath } from '../../input/files.ts'
import type { LocalServer } from '../../local/local-server.ts'
import type { Output } from '../../output/output.ts'
import { dashboardUrl } from '../../process/browser.ts'
import type { Session } from '../../session.ts'

export interface BannerFacts {
  readonly url: string
  /** The URL for other machines; absent if they cannot reach the server. */
  readonly sharedUrl: string | undefined
  /** The data directory as configured, such as `.psp`; absent if everything is in memory. */
  readonly folder: string | undefined
  readonly defaultShop: DefaultShop
  /** See {@link isCredentialHidden}. */
  readonly isHidden: (key: Credential) => boolean
  /** Whether the data directory is new. */
  readonly isNew: boolean
  readonly commandTexts: CommandTexts
  /** Links to the dashboard, each with its label. */
  readonly dashboard: readonly (readonly [label: string, url: string])[]
  /** Description of the clock; absent if it shows the system time. */
  readonly clock: string | undefined
}

export type Credential = 'api_key' | 'signing_secret' | 'webhook_secret' | 'control_token' | 'view_token'

/** Prints the URLs, lines for an .env file, and first commands on stderr, because stdout has the request log. */
export function banner(
  out: Output,
  { url, sharedUrl, folder, defaultShop, isHidden, isNew, commandTexts, dashboard, clock }: BannerFacts,
): void {
  const { bold, dim, name } = out.notePaint
  const data = folder === undefined ? 'in memory only' : `${folder}${isNew ? ' (new)' : ''}`
  out.note(`${bold('psp')} ${VERSION}  ${name(url)}  ${dim(`data ${data}`)}`)
  if (sharedUrl !== undefined && sharedUrl !== url) out.note(`  Other machines reach it at ${name(sharedUrl)}.`)
  for (const [label, link] of dashboard) out.note(`  ${label}: ${name(link)}`)
  if (clock !== undefined) out.note(`  The clock ${clock}.`)
  out.note('')
  out.note(`  PSP_URL=${url}`)
  for (const key of ['api_key', 'signing_secret', 'webhook_secret'] as const) {
    const value = isHidden(key) ? dim('(from the environment)') : (defaultShop[key] ?? dim('(only its hash is stored)'))
    out.note(`  PSP_${key.toUpperCase()}=${value}`)
  }
  out.note('')
  const first = firstCommands(commandTexts)
  const width = Math.max(...first.map(([line]) => line.length)) + 3
  for (const [line, about] of first) out.note(dim(`  ${line.padEnd(width)}${about}`))
  if (commandTexts.control === undefined) {
    out.note(
      dim(
        '  Webhooks are sent to each --endpoint and webhook_url. The control API is off: --control-token turns it on.',
      ),
    )
  }
  out.note(dim('  Ctrl-C stops.'))
  out.note('')
}

/** Returns the links to the dashboard. If a token must be hidden, the link has the name of its variable. */
export function dashboardLines(session: Session, base: string): readonly (readonly [string, string])[] {
  const { control_token, view_token, host } = session.values
  const link = (key: 'control_token' | 'view_token', token: string) =>
    isCredentialHidden(session, key)
      ? `${dashboardUrl(base, undefined)}#token=$${CONFIG_KEYS[key].env}`
      : dashboardUrl(base, token)
  const isOn = control_token !== undefined || isLoopback(host)
  return [
    ...(isOn
      ? [
          [
            'Dashboard',
            control_token === undefined ? dashboardUrl(base, undefined) : link('control_token', control_token),
          ] as const,
        ]
      : []),
    ...(view_token === undefined ? [] : [['Dashboard, read only', link('view_token', view_token)] as const]),
  ]
}

function firstCommands(commandTexts: CommandTexts): readonly (readonly [line: string, about: string])[] {
  const commands: (readonly [string, string])[] = []
  if (commandTexts.control !== undefined) {
    commands.push([commandTexts.control('listen --forward localhost:3000/hooks'), 'webhooks to your application'])
  }
  if (commandTexts.public !== undefined)
    commands.push([commandTexts.public('payments create --amount 100'), 'a first payment'])
  else if (commandTexts.control !== undefined) commands.push([commandTexts.control('keys create'), 'another API key'])
  return commands
}

/** Builds commands that reach this server from another shell in the same directory. */
export interface CommandTexts {
  /** Builds a command for the control API; absent if it is off on this host. */
  readonly control: ((words: string) => string) | undefined
  /** Builds a command for the public API; absent if only the hash of the API key is known. */
  readonly public: ((words: string) => string) | undefined
}

/** @param folder data directory; absent if everything is in memory */
export function commandTextsFor(session: Session, server: LocalServer, folder: string | undefined): CommandTexts {
  const { values, host } = session
  const name = invocationName(host)
  const urlFlag = isFoundHere(session, folder) ? '' : ` --url ${server.url}`
  const command = (flags: string) => (words: string) => `${name} ${words}${urlFlag}${flags}`
  const isShared = !isLoopback(values.host)
  const control = flagOf(session, 'control_token', values.control_token)
  const key = keyFlag(session, server)
  return {
    control: isShared && values.control_token === undefined ? undefined : command(control),
    public: key === undefined ? undefined : command(key),
  }
}

function keyFlag(
  session: Session,
  { defaultShop, url }: { defaultShop: DefaultShop; url: string },
): string | undefined {
  if (defaultShop.api_key === undefined) return undefined
  // Commands use the development key by default, but never send it to another host.
  if (defaultShop.api_key === DEFAULT_SHOP.api_key && isLoopback(new URL(url).hostname)) return ''
  return flagOf(session, 'api_key', defaultShop.api_key)
}

/**
 * A credential from the environment is not printed if other machines can reach the server, because other people may
 * read the log of such a server.
 */
export function isCredentialHidden({ config, values }: Session, key: Credential): boolean {
  return !isLoopback(values.host) && config.origins[key] === CONFIG_KEYS[key].env
}

/** Another shell has the same configuration file as this one, but not its flags and variables. */
function flagOf(session: Session, key: 'api_key' | 'control_token', value: string | undefined): string {
  if (value === undefined || session.config.origins[key] === CONFIG_FILE) return ''
  if (isCredentialHidden(session, key)) return ` --${key.replace('_', '-')} "$${CONFIG_KEYS[key].env}"`
  return ` --${key.replace('_', '-')} ${shellWord(value)}`
}

/** Returns whether a command that starts in the current directory finds the server by the data directory `folder`. */
function isFoundHere({ config, host, values }: Session, folder: string | undefined): boolean {
  if (folder === undefined || values.url !== undefined) return false
  return config.origins.data === CONFIG_FILE || folder === resolvePath(host, CONFIG_KEYS.data.fallback)
}
