// Reads psp.config.json. Its keys are `settings`, and flag names with underscores. Every name and value is validated.
import { quoteText } from '../../domain/characters.ts'
import { closestName } from '../../domain/closest-name.ts'
import { isInexact, type NumberLiterals, numberLiterals } from '../../domain/number-literals.ts'
import { CliError, usageError } from '../failure.ts'
import { fileReason, readSmallFile } from '../input/files.ts'
import { decoded } from '../input/read-input.ts'
import { CONFIG_KEYS, CONFIG_NAMES, type ConfigKey } from './config-keys.ts'

export const CONFIG_FILE = 'psp.config.json'

export interface ConfigFile {
  readonly values: ReadonlyMap<ConfigKey, unknown>
  readonly settings: { readonly [name: string]: unknown }
  /** Why the file cannot be used. Set only by {@link readBrokenConfigFile}. */
  readonly issue?: CliError
}

/** Reads the file. A missing file counts as empty. */
export function readConfigFile(path: string): ConfigFile {
  const text = textOf(path)
  return text === undefined ? { values: new Map(), settings: {} } : parseConfigFile(text)
}

/** Like {@link readConfigFile}, but returns the error of a broken file as `issue`. Such a file counts as empty. */
export function readBrokenConfigFile(path: string): ConfigFile {
  try {
    return readConfigFile(path)
  } catch (error) {
    if (error instanceof CliError) return { values: new Map(), settings: {}, issue: error }
    throw error
  }
}

export function parseConfigFile(file: string): ConfigFile {
  const text = file.replace(/^\uFEFF/, '')
  const document = object(text)
  const numbers = numberLiterals(text)
  const values = new Map<ConfigKey, unknown>()
  let settings: ConfigFile['settings'] = {}
  for (const [name, given] of Object.entries(document)) {
    if (name === '$schema') continue
    if (name === 'settings') settings = settingsOf(given, numbers)
    else values.set(keyOf(name), checkedValue(keyOf(name), given, numbers.at([name])))
  }
  return { values, settings }
}

function textOf(path: string): string | undefined {
  try {
    return decoded(readSmallFile(path))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw usageError(`${CONFIG_FILE} cannot be read: ${fileReason(error)}.`, 'Make it a readable file, or remove it.')
  }
}

function object(text: string): Record<string, unknown> {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch (error) {
    throw usageError(
      `${CONFIG_FILE} is not JSON: ${(error as Error).message}`,
      'JSON has no comments and no trailing commas.',
    )
  }
  if (typeof document === 'object' && document !== null && !Array.isArray(document)) {
    return document as Record<string, unknown>
  }
  throw usageError(`${CONFIG_FILE} does not contain an object.`, 'Write it as {"port": 7770}.')
}

function keyOf(name: string): ConfigKey {
  if (Object.hasOwn(CONFIG_KEYS, name)) return name as ConfigKey
  const near = closestName(name, [...CONFIG_NAMES, 'settings'])
  throw usageError(
    `${CONFIG_FILE}: unknown key ${quoteText(name)}.`,
    near === undefined ? '`psp config` lists every key.' : `Did you mean ${quoteText(near)}?`,
  )
}

/** @param written if the value is a number: the digits in the file */
function checkedValue(key: ConfigKey, given: unknown, written: string | undefined): unknown {
  const row = CONFIG_KEYS[key]
  const hasRightType = {
    text: typeof given === 'string',
    integer: typeof given === 'number',
    switch: typeof given === 'boolean',
    list: Array.isArray(given) && given.every((entry) => typeof entry === 'string'),
  }[row.kind]
  if (!hasRightType) {
    const type = { text: 'a string', integer: 'a number', switch: 'true or false', list: 'a list of strings' }[row.kind]
    throw usageError(`${CONFIG_FILE}: ${key} must be ${type}.`, `\`${key}\`: ${row.description}.`)
  }
  if ([given].flat().some((text) => String(text).includes('\0'))) {
    throw usageError(`${CONFIG_FILE}: ${key} contains a null byte.`, `\`${key}\`: ${row.description}.`)
  }
  if (row.kind === 'switch') return given
  if (!Array.isArray(given)) return parsed(row, key, isInexact(given) ? written : given)
  return given.map((entry, at) => parsed(row, `${key}[${at}]`, entry))
}

function parsed(row: (typeof CONFIG_KEYS)[ConfigKey], where: string, given: unknown): unknown {
  try {
    return row.parse(String(given))
  } catch (error) {
    if (error instanceof CliError) throw usageError(`${CONFIG_FILE}: ${where}: ${error.message}`, error.hint)
    throw error
  }
}

function settingsOf(given: unknown, numbers: NumberLiterals): ConfigFile['settings'] {
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) {
    // No setting accepts an inexact number. It becomes a string, so that the error quotes it as written.
    const exact = ([name, value]: [string, unknown]) => [
      name,
      isInexact(value) ? numbers.at(['settings', name]) : value,
    ]
    return Object.fromEntries(Object.entries(given).map(exact))
  }
  throw usageError(`${CONFIG_FILE}: settings must be an object.`, 'Write it as {"settings": {"delays.bank": "2s"}}.')
}
