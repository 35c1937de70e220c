// Flags that several commands share. Some take their kind and description from a configuration key.

import { CONFIG_KEYS, type ConfigKey, type ConfigValues, flagName } from '../config/config-keys.ts'
import { COLOUR_MODES } from '../output/colour.ts'
import { type Flag, list, toggle, value } from './flags.ts'
import { integer, pair, settingPair } from './parse.ts'

interface FlagTexts {
  /** Name of the value in help: `--port <n>`. */
  readonly valueName?: string
  /** One letter: `-p`. */
  readonly short?: string
  /** Replaces the description of the configuration key. */
  readonly description?: string
  /** Appended to the description of the configuration key and its variable. */
  readonly more?: string
  /** Values to offer at completion. */
  readonly choices?: readonly string[]
}

/** Returns the flag of a configuration key. Its description names the environment variable. */
export function configFlag<K extends ConfigKey>(key: K, texts: FlagTexts = {}): ConfigFlag<K> {
  const { description, env } = CONFIG_KEYS[key]
  return flagOf(key, { description: `${description} (${env})${texts.more ?? ''}`, ...texts })
}

/** Omits the variable from the description, because the help of every command repeats these flags. */
function globalFlag<K extends ConfigKey>(key: K, texts: FlagTexts = {}): ConfigFlag<K> {
  return flagOf(key, { description: CONFIG_KEYS[key].description, ...texts })
}

type ConfigFlag<K extends ConfigKey> = Flag<ConfigValues[K] | undefined>

function flagOf(
  key: ConfigKey,
  { valueName = 'value', short, description = '', choices = [] }: FlagTexts,
): Flag<never> {
  const { kind, parse } = CONFIG_KEYS[key]
  const long = flagName(key)
  const name = short === undefined ? long : `-${short}, ${long}`
  const flag =
    kind === 'switch'
      ? toggle(name, description)
      : kind === 'list'
        ? list<unknown>(`${name} <${valueName}>`, description, parse, choices)
        : value<unknown>(`${name} <${valueName}>`, description, parse, choices)
  return { ...flag, configures: true } as Flag<never>
}

/** Flags that every command accepts, before or after its name. */
export const GLOBAL_FLAGS = {
  json: globalFlag('json', { short: 'j' }),
  url: globalFlag('url', { valueName: 'url' }),
  data: globalFlag('data', { valueName: 'dir' }),
  api_key: globalFlag('api_key', { valueName: 'key' }),
  signing_secret: globalFlag('signing_secret', { valueName: 'secret' }),
  webhook_secret: globalFlag('webhook_secret', { valueName: 'secret' }),
  control_token: globalFlag('control_token', { valueName: 'token' }),
  color: globalFlag('color', { valueName: 'when', choices: COLOUR_MODES }),
  quiet: globalFlag('quiet', { short: 'q' }),
  debug: globalFlag('debug'),
}

/** The flags of a server, for `serve` and `exec`. */
export const SERVER_FLAGS = {
  port: configFlag('port', { valueName: 'n', short: 'p', more: ', default 7770' }),
  host: configFlag('host', { valueName: 'address', more: ', default 127.0.0.1' }),
  ephemeral: configFlag('ephemeral'),
  seed: configFlag('seed', { valueName: 'file' }),
  clock: configFlag('clock', { valueName: 'clock' }),
  buyer: configFlag('buyer', { valueName: 'who' }),
  random_seed: configFlag('random_seed', { valueName: 'n' }),
  endpoint: configFlag('endpoint', { valueName: 'url' }),
  rate_limit: configFlag('rate_limit', { valueName: 'n' }),
  pay_url: configFlag('pay_url', { valueName: 'url' }),
  view_token: configFlag('view_token', { valueName: 'token' }),
  shard: configFlag('shard', { valueName: 'n' }),
  durable: configFlag('durable'),
  generate_credentials: configFlag('generate_credentials'),
  settings: list('--set <name=value>', 'set a setting; psp settings lists them (PSP_SET_<NAME>)', settingPair),
}

export const FORCE = { force: toggle('--force', 'replace a file that already exists') }

export const SHOP = value('--shop <id>', 'id of the shop, default the oldest one')

export const SHOP_FILTER = value('--shop <id>', 'only for this shop')

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

/** Lists the fields of `--match` for the notes of a command. */
export function fieldsText(fields: readonly string[]): string {
  return `${fields.join(', ')}, metadata.<name>`
}
