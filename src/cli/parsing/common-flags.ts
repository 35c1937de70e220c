// Flags that several commands share. The kind and description of a configuration flag come from its key.

import { CONFIG_KEYS, type ConfigKey, type ConfigValues } from '../config/config-keys.ts'
import { COLOUR_MODES } from '../output/colour.ts'
import { type Flag, list, toggle, value } from './flags.ts'
import { integer, pair, settingPair } from './parse.ts'

interface FlagWords {
  /** Name of the value in help: `--port <n>`. */
  readonly takes?: string
  /** One letter: `-p`. */
  readonly short?: string
  /** Replaces the description of the key. */
  readonly about?: string
  /** Appended to the description and variable of the key. */
  readonly more?: string
  /** Values to offer at completion. */
  readonly choices?: readonly string[]
}

/** Returns the flag of a key, with its variable in help. */
export function configFlag<K extends ConfigKey>(key: K, words: FlagWords = {}): ConfigFlag<K> {
  const { about, env } = CONFIG_KEYS[key]
  return flagOf(key, { about: `${about} (${env})${words.more ?? ''}`, ...words })
}

/** Returns the flag of a key for every command. Help lists the variables of these elsewhere. */
function globalFlag<K extends ConfigKey>(key: K, words: FlagWords = {}): ConfigFlag<K> {
  return flagOf(key, { about: CONFIG_KEYS[key].about, ...words })
}

type ConfigFlag<K extends ConfigKey> = Flag<ConfigValues[K] | undefined>

function flagOf(key: ConfigKey, { takes = 'value', short, about = '', choices = [] }: FlagWords): Flag<never> {
  const { kind, parse } = CONFIG_KEYS[key]
  const long = `--${key.replaceAll('_', '-')}`
  const name = short === undefined ? long : `-${short}, ${long}`
  const flag =
    kind === 'switch'
      ? toggle(name, about)
      : kind === 'list'
        ? list<unknown>(`${name} <${takes}>`, about, parse, choices)
        : value<unknown>(`${name} <${takes}>`, about, parse, choices)
  return { ...flag, configures: true } as Flag<never>
}

/** Flags that every command accepts, before or after its name. */
export const GLOBAL_FLAGS = {
  json: globalFlag('json', { short: 'j' }),
  url: globalFlag('url', { takes: 'url' }),
  data: globalFlag('data', { takes: 'dir' }),
  api_key: globalFlag('api_key', { takes: 'key' }),
  signing_secret: globalFlag('signing_secret', { takes: 'secret' }),
  webhook_secret: globalFlag('webhook_secret', { takes: 'secret' }),
  control_token: globalFlag('control_token', { takes: 'token' }),
  color: globalFlag('color', { takes: 'when', choices: COLOUR_MODES }),
  quiet: globalFlag('quiet', { short: 'q' }),
  debug: globalFlag('debug'),
}

/** The flags of a server, for `serve` and `exec`. */
export const SERVER_FLAGS = {
  port: configFlag('port', { takes: 'n', short: 'p', more: ', default 7770' }),
  host: configFlag('host', { takes: 'address', more: ', default 127.0.0.1' }),
  ephemeral: configFlag('ephemeral'),
  seed: configFlag('seed', { takes: 'file' }),
  clock: configFlag('clock', { takes: 'clock' }),
  buyer: configFlag('buyer', { takes: 'who' }),
  random_seed: configFlag('random_seed', { takes: 'n' }),
  endpoint: configFlag('endpoint', { takes: 'url' }),
  rate_limit: configFlag('rate_limit', { takes: 'n' }),
  pay_url: configFlag('pay_url', { takes: 'url' }),
  view_token: configFlag('view_token', { takes: 'token' }),
  shard: configFlag('shard', { takes: 'n' }),
  durable: configFlag('durable'),
  generate_credentials: configFlag('generate_credentials'),
  settings: list('--set <name=value>', 'set a setting; psp settings lists them (PSP_SET_NAME)', settingPair),
}

/** For commands that write a file. */
export const FORCE = { force: toggle('--force', 'replace a file that already exists') }

/** The flags of every list command. */
export const PAGE_FLAGS = {
  limit: value('--limit <n>', 'at most n rows, default 100', integer(1, 1000)),
  cursor: value('--cursor <cursor>', 'continue after an earlier page'),
}

/**
 * Flags that say when a rule or fault applies.
 * @param fields suggestions for completion
 */
export const matchFlags = (fields: readonly string[]) => ({
  match: list('--match <field=value>', 'apply only if a field has this value; * matches any text', pair, [
    ...new Set(fields.map((field) => `${field}=`)),
    'metadata.',
  ]),
  times: value('--times <n>', 'apply at most n times', integer(1)),
  every: value('--every <n>', 'apply only to every n-th match', integer(1)),
})

/** Returns a line of help. */
export function fieldsText(fields: readonly string[]): string {
  return `${fields.join(', ')}, metadata.<name>`
}
