// Resolves the configuration. For each key: the flag, otherwise the environment variable, psp.config.json, the default.
import { typoCount } from '../../domain/closest-name.ts'
import { CliError, usageError } from '../failure.ts'
import { CONFIG_FILE, type ConfigFile } from './config-file.ts'
import {
  CONFIG_KEYS,
  CONFIG_NAMES,
  type ConfigKey,
  type ConfigValues,
  type Environment,
  flagName,
  variable,
} from './config-keys.ts'

export interface Config {
  readonly values: ConfigValues
  /** The source of each value: `--port`, `PSP_PORT`, `psp.config.json` or `default`. */
  readonly origins: Readonly<Record<ConfigKey, string>>
  readonly sources: ConfigSources
}

export interface ConfigSources {
  /** Only the flags that are given. */
  readonly flags: ReadonlyMap<ConfigKey, unknown>
  /** `--set NAME=VALUE`, in order. */
  readonly set: readonly (readonly [name: string, text: string])[]
  readonly env: Environment
  readonly file: ConfigFile
}

export function resolveConfig(sources: ConfigSources): Config {
  const values: Record<string, unknown> = {}
  const origins: Record<string, string> = {}
  for (const key of CONFIG_NAMES) {
    const [value, origin] = resolveKey(key, sources)
    values[key] = value
    origins[key] = origin
  }
  return { values: values as ConfigValues, origins: origins as Config['origins'], sources }
}

function resolveKey(key: ConfigKey, { flags, env, file }: ConfigSources): [value: unknown, origin: string] {
  const row = CONFIG_KEYS[key]
  if (flags.has(key)) return [flags.get(key), flagName(key)]
  const text = variable(env, row.env)
  if (text !== undefined) return [fromEnvironment(key, text), row.env]
  if (file.values.has(key)) return [file.values.get(key), CONFIG_FILE]
  return [row.fallback, 'default']
}

/** Finds variables whose names are probably misspelt, because they would be ignored silently. */
export function closestVariables(env: Environment): readonly (readonly [given: string, meant: string])[] {
  const known = CONFIG_NAMES.map((key) => CONFIG_KEYS[key].env)
  return Object.keys(env).flatMap((given) => {
    if (!given.startsWith('PSP_') || known.some((name) => name === given) || variable(env, given) === undefined)
      return []
    // One typo only, because other programs also have PSP_ variables.
    const meant = known.find((name) => typoCount(given, name) === 1)
    return meant === undefined ? [] : [[given, meant] as const]
  })
}

export function fromEnvironment(key: ConfigKey, text: string): unknown {
  const row = CONFIG_KEYS[key]
  try {
    return row.kind === 'list' ? text.split(',').map((entry) => row.parse(entry)) : row.parse(text)
  } catch (error) {
    if (error instanceof CliError) throw usageError(`${row.env}: ${error.message}`, error.hint)
    throw error
  }
}
