// Sandbox settings from the file, the environment and flags. Not in config.ts, because their schema loads slowly.

import { closestName } from '../../domain/closest-name.ts'
import { readSettings, SETTING_NAMES, SettingError, settingEnvName, settingFromText } from '../../settings.ts'
import { usageError } from '../failure.ts'
import { type ConfigSources, fromEnvironment } from './config.ts'
import { CONFIG_FILE } from './config-file.ts'
import { CONFIG_KEYS, flagName, variable } from './config-keys.ts'

export interface SettingsConfig {
  /** Only the settings that the user gave, before parsing. */
  readonly values: { readonly [name: string]: unknown }
  readonly origins: { readonly [name: string]: string }
}

/**
 * Settings that are also configuration keys. `--buyer` wins over `--set buyer=…`, `PSP_BUYER` over `PSP_SET_BUYER`, and
 * `buyer` in the file over `settings.buyer`.
 */
const SETTING_FLAGS = ['buyer', 'rate_limit'] as const

export function resolveSettings({ flags, set, env, file }: ConfigSources): SettingsConfig {
  // A Map, because in an object `__proto__` would be a special key.
  const given = new Map<string, unknown>()
  const origins = new Map<string, string>()
  const put = (name: string, value: unknown, origin: string) => {
    given.set(name, value)
    origins.set(name, origin)
  }
  for (const [name, value] of Object.entries(file.settings)) put(name, value, CONFIG_FILE)
  for (const key of SETTING_FLAGS) if (file.values.has(key)) put(key, file.values.get(key), CONFIG_FILE)
  for (const name of Object.keys(env)) {
    if (name.startsWith(ENV_PREFIX) && variable(env, name) !== undefined) checkEnvName(name)
  }
  for (const name of SETTING_NAMES) {
    const text = variable(env, settingEnvName(name))
    if (text !== undefined) put(name, settingFromText(name, text), settingEnvName(name))
  }
  for (const key of SETTING_FLAGS) {
    const text = variable(env, CONFIG_KEYS[key].env)
    if (text !== undefined) put(key, fromEnvironment(key, text), CONFIG_KEYS[key].env)
  }
  for (const [name, text] of set) put(name, settingFromText(name, text), '--set')
  for (const key of SETTING_FLAGS) if (flags.has(key)) put(key, flags.get(key), flagName(key))
  const values = Object.fromEntries(given)
  check(values)
  return { values, origins: Object.fromEntries(origins) }
}

const ENV_PREFIX = 'PSP_SET_'

/** Rejects a typo such as `PSP_SET_DELAYS_BNK`, which would otherwise be ignored silently. */
function checkEnvName(given: string): void {
  const names = SETTING_NAMES.map(settingEnvName)
  if (names.includes(given)) return
  const near = closestName(given, names)
  throw usageError(
    `${given} does not match any setting.`,
    near === undefined ? '`psp settings` lists every setting with its default.' : `Did you mean ${near}?`,
  )
}

function check(values: SettingsConfig['values']): void {
  try {
    readSettings(values)
  } catch (error) {
    if (error instanceof SettingError)
      throw usageError(error.message, '`psp settings` lists every setting with its default.')
    throw error
  }
}
