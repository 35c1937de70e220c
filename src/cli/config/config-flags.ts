// Flags of configuration keys. Kind and description come from the key, so flag, environment and file agree.

import { type Flag, list, toggle, value } from '../parsing/flags.ts'
import { CONFIG_KEYS, type ConfigKey, type ConfigValues } from './config-keys.ts'

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
export function globalFlag<K extends ConfigKey>(key: K, words: FlagWords = {}): ConfigFlag<K> {
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
