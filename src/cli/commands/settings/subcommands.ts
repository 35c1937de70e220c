import { ApiError } from '../../../client/errors.ts'
import { quoteText } from '../../../domain/characters.ts'
import { closestName } from '../../../domain/closest-name.ts'
import {
  readSettings,
  SETTING_NAMES,
  SETTINGS,
  SettingError,
  type SettingName,
  settingFromText,
} from '../../../settings.ts'
import { sanitizeLine } from '../../../terminal/sanitize.ts'
import type { NoFlags, Run } from '../../command.ts'
import { CliError, usageError } from '../../failure.ts'
import { printDetails, printResult } from '../../output/result.ts'
import { printTable } from '../../output/table.ts'
import { settingPair } from '../../parsing/parse.ts'
import { planText } from '../../parsing/parse-plan.ts'
import { argumentHint } from '../../parsing/parser-errors.ts'
import type { SET_ARGUMENTS, SHOW_ARGUMENTS } from '../settings.ts'

export const show: Run<typeof SHOW_ARGUMENTS, NoFlags> = async ({ args, session }) => {
  const { out } = session
  const names = args.name === undefined ? SETTING_NAMES : [knownSetting(args.name)]
  const { client } = await session.target()
  const { settings } = client.control
  const [values, origins] = await Promise.all([settings.get(), settings.origins()])
  const rows = names.map((name) => {
    const value = values[name]
    const fallback: unknown = SETTINGS[name].default
    return { name, value, default: fallback, origin: origins[name] ?? '', about: SETTINGS[name].description }
  })
  const shown = Object.fromEntries(names.map((name) => [name, values[name]]))
  return await printResult(out, shown, () => {
    const [only] = rows
    if (args.name === undefined || only === undefined || out.columns === undefined) {
      return printTable(out, COLUMNS, rows, '', 'or use `psp settings NAME` for all details of one')
    }
    return printDetails(
      out,
      COLUMNS.map(({ title, cell }) => [title, cell(only)]),
    )
  })
}

interface SettingRow {
  readonly name: string
  readonly value: unknown
  readonly default: unknown
  readonly origin: string
  readonly about: string
}

const COLUMNS = [
  { title: 'setting', cell: ({ name }: SettingRow) => name },
  { title: 'value', cell: ({ value }: SettingRow) => settingText(value) },
  { title: 'default', cell: (row: SettingRow) => settingText(row.default) },
  { title: 'from', cell: ({ origin }: SettingRow) => origin },
  { title: 'about', cell: ({ about }: SettingRow) => about },
]

export const set: Run<typeof SET_ARGUMENTS, NoFlags> = async ({ args, session }) => {
  const values = Object.fromEntries(
    args['name=value'].map(settingPair).map(([name, text]) => [name, settingOf(name, text)]),
  )
  const { out } = session
  const { client } = await session.target()
  const before = await client.control.settings.origins()
  const after = await client.control.settings.update(values).catch((error: unknown) => {
    throw withHint(error, Object.keys(values))
  })
  for (const name of Object.keys(values)) {
    const origin = before[name]
    if (origin === undefined || origin === 'default' || origin === 'settings') continue
    out.aside(`${name} is also set by ${origin}, which applies again at the next start.`)
  }
  return await printResult(out, after, () => {
    for (const name of Object.keys(values)) out.line(`${name} = ${settingText(after[name])}`)
  })
}

/** Parses a value. `null` restores the default, unless the setting accepts the text `null`. */
function settingOf(name: string, text: string): unknown {
  knownSetting(name)
  const value = settingFromText(name, text)
  try {
    readSettings({ [name]: value })
    if (name === 'default_outcome') planText(String(value))
    return value
  } catch (error) {
    if (!(error instanceof SettingError || error instanceof CliError)) throw error
    if (text === 'null') return null
    const why = error instanceof CliError ? `${name}: ${error.message} ${error.hint}` : error.message
    throw usageError(why, hintFor(name))
  }
}

/** The server validates more than this command. */
function withHint(error: unknown, names: readonly string[]): unknown {
  if (!(error instanceof ApiError) || error.status !== 400) return error
  const name = names.find((one) => error.message.includes(one)) ?? (names.length === 1 ? names[0] : undefined)
  if (name === undefined) return error
  return new ApiError(error.status, error.code, error.message, error.retryAfter, hintFor(name))
}

const hintFor = (name: string) =>
  `\`psp settings set ${name}=null\` restores the default; \`psp settings ${name}\` shows it.`

/** @throws CliError that suggests a similar name, if there is no such setting */
function knownSetting(name: string): SettingName {
  const known = SETTING_NAMES.find((one) => one === name)
  if (known !== undefined) return known
  const matching = SETTING_NAMES.filter((one) => one.startsWith(`${name}.`)).join(', ')
  const near = matching === '' ? closestName(name, SETTING_NAMES) : matching
  throw usageError(
    `There is no setting ${quoteText(name)}.`,
    argumentHint('psp settings', [name]) ??
      (near === undefined
        ? '`psp settings` lists them all.'
        : `Did you mean ${matching === '' ? near : `one of ${matching}`}?`),
  )
}

/** Returns a value in the syntax of `psp settings set`, with lists separated by commas. */
export function settingText(value: unknown): string {
  if (Array.isArray(value)) return sanitizeLine(value.join(','))
  return value === '' ? '""' : sanitizeLine(String(value))
}
