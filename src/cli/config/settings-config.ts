// Settings of the sandbox that file, environment or flags change. Apart from config.ts, because the schema of the settings
// takes its time to load and short commands do not need it.

import { nearest } from '../../domain/nearest.ts'
import { readSettings, SETTING_NAMES, SettingError, settingEnvName, settingFromText } from '../../settings.ts'
import { usage } from '../failure.ts'
import { type ConfigSources, flagName, fromEnvironment } from './config.ts'
import { CONFIG_FILE } from './config-file.ts'
import { CONFIG_KEYS } from './config-keys.ts'
import { variable } from './environment.ts'

export interface SettingsConfig {
  /** Only what is changed, as people write it. */
  readonly values: { readonly [name: string]: unknown }
  readonly origins: { readonly [name: string]: string }
}

/** Flags with a name of their own that are settings too; they win over `--set`, `PSP_SET_…` and `settings` beside them. */
const TWINS = ['buyer', 'rate_limit'] as const

export function resolveSettings({ flags, set, env, file }: ConfigSources): SettingsConfig {
  // Maps, since an object takes `__proto__` for something else than a name.
  const given = new Map<string, unknown>()
  const origins = new Map<string, string>()
  const put = (name: string, value: unknown, origin: string) => {
    given.set(name, value)
    origins.set(name, origin)
  }
  for (const [name, value] of Object.entries(file.settings)) put(name, value, CONFIG_FILE)
  for (const key of TWINS) if (file.values.has(key)) put(key, file.values.get(key), CONFIG_FILE)
  for (const name of Object.keys(env)) {
    if (name.startsWith(ENV_PREFIX) && variable(env, name) !== undefined) checkEnvName(name)
  }
  for (const name of SETTING_NAMES) {
    const text = variable(env, settingEnvName(name))
    if (text !== undefined) put(name, settingFromText(name, text), settingEnvName(name))
  }
  for (const key of TWINS) {
    const text = variable(env, CONFIG_KEYS[key].env)
    if (text !== undefined) put(key, fromEnvironment(key, text), CONFIG_KEYS[key].env)
  }
  for (const [name, text] of set) put(name, settingFromText(name, text), '--set')
  for (const key of TWINS) if (flags.has(key)) put(key, flags.get(key), flagName(key))
  const values = Object.fromEntries(given)
  check(values)
  return { values, origins: Object.fromEntries(origins) }
}

const ENV_PREFIX = 'PSP_SET_'

/** `PSP_SET_DELAYS_BNK` would change nothing, and nobody would know. */
function checkEnvName(given: string): void {
  const names = SETTING_NAMES.map(settingEnvName)
  if (names.includes(given)) return
  const near = nearest(given, names)
  throw usage(
    `${given} is the environment form of no setting.`,
    near === undefined ? '`psp settings` lists every setting with its default.' : `Did you mean ${near}?`,
  )
}

function check(values: SettingsConfig['values']): void {
  try {
    readSettings(values)
  } catch (error) {
    if (error instanceof SettingError)
      throw usage(error.message, '`psp settings` lists every setting with its default.')
    throw error
  }
}
