import { SETTING_NAMES, SETTINGS } from '../../../settings.ts'
import type { NoFlags, Run } from '../../command.ts'
import { printDetails } from '../../output/details.ts'
import { printResult } from '../../output/print-result.ts'
import { printTable } from '../../output/table.ts'
import type { SHOW_ARGUMENTS } from './flags.ts'
import { knownSetting } from './known.ts'
import { settingText } from './value-text.ts'

export const run: Run<typeof SHOW_ARGUMENTS, NoFlags> = async ({ args, session }) => {
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
