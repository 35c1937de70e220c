// Builds commands that reach this server from another shell in the same directory.

import { DEFAULT_SHOP } from '../../../domain/default-shop.ts'
import { isLoopback } from '../../../domain/loopback.ts'
import type { StartShop } from '../../../sandbox.ts'
import { CONFIG_FILE } from '../../config/config-file.ts'
import { CONFIG_KEYS, type ConfigKey } from '../../config/config-keys.ts'
import { invocationName } from '../../help/invocation-name.ts'
import { resolvePath } from '../../input/resolve-path.ts'
import type { LocalServer } from '../../local/local-server.ts'
import type { Session } from '../../session.ts'

export interface Reach {
  /** Builds a command for the control API; absent if it is off on this host. */
  readonly control: ((words: string) => string) | undefined
  /** Builds a command for the public API; absent if only the hash of the API key is known. */
  readonly public: ((words: string) => string) | undefined
}

/** @param folder data directory; absent if everything is in memory */
export function reachOf(session: Session, server: LocalServer, folder: string | undefined): Reach {
  const { values, host } = session
  const name = invocationName(host)
  const at = isFoundHere(session, folder) ? '' : ` --url ${server.url}`
  const command = (flags: string) => (words: string) => `${name} ${words}${at}${flags}`
  const isShared = !isLoopback(values.host)
  const control = flagOf(session, 'control_token', values.control_token)
  const key = keyFlag(session, server)
  return {
    control: isShared && values.control_token === undefined ? undefined : command(control),
    public: key === undefined ? undefined : command(key),
  }
}

function keyFlag(session: Session, { start, url }: { start: StartShop; url: string }): string | undefined {
  if (start.api_key === undefined) return undefined
  // Commands use the development key by default, but never send it to another host.
  if (start.api_key === DEFAULT_SHOP.api_key && isLoopback(new URL(url).hostname)) return ''
  return flagOf(session, 'api_key', start.api_key)
}

/** Adds a flag, because another shell has the configuration file but not the flags and variables of this one. */
function flagOf({ config }: Session, key: 'api_key' | 'control_token', value: string | undefined): string {
  if (value === undefined || config.origins[key] === CONFIG_FILE) return ''
  return ` --${key.replace('_', '-')} ${shellWord(value)}`
}

function shellWord(text: string): string {
  return /^[\w.,:@/+=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** Returns whether a command in this folder finds the server by its data directory. */
function isFoundHere({ config, host, values }: Session, folder: string | undefined): boolean {
  if (folder === undefined || values.url !== undefined) return false
  const key: ConfigKey = 'data'
  return config.origins[key] === CONFIG_FILE || folder === resolvePath(host, CONFIG_KEYS[key].fallback)
}
