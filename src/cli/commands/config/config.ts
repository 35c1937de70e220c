import type { NoArguments, NoFlags, Run } from '../../command.ts'
import { CONFIG_KEYS, CONFIG_NAMES, type ConfigKey } from '../../config-keys.ts'
import { resolveSettings } from '../../settings-config.ts'
import { printTable } from '../../table.ts'

export const run: Run<NoArguments, NoFlags> = async ({ session }) => {
  const { out, values, config } = session
  const settings = resolveSettings(config.sources)
  const rows = [
    ...CONFIG_NAMES.map((name) => ({ name, value: shown(name, values[name]), origin: config.origins[name] })),
    ...Object.entries(settings.values)
      .filter(([name]) => !Object.hasOwn(CONFIG_KEYS, name))
      .map(([name, value]) => ({ name: `settings.${name}`, value, origin: settings.origins[name] ?? '' })),
  ]
  if (out.json) {
    out.document(Object.fromEntries(rows.map(({ name, value, origin }) => [name, { value: value ?? null, origin }])))
    return 0
  }
  await printTable(out, COLUMNS, rows, '')
  return 0
}

interface Row {
  readonly name: string
  readonly value: unknown
  readonly origin: string
}

const COLUMNS = [
  { title: 'name', cell: ({ name }: Row) => name },
  { title: 'value', cell: ({ value }: Row) => (Array.isArray(value) ? value.join(', ') : String(value ?? '')) },
  { title: 'from', cell: ({ origin }: Row) => origin },
]

/** Secrets by their first characters: this output ends up in bug reports. */
function shown(name: ConfigKey, value: unknown): unknown {
  if (!('secret' in CONFIG_KEYS[name]) || typeof value !== 'string') return value
  return `${value.slice(0, 8)}***`
}
