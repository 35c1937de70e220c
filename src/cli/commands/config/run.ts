import type { NoArguments, Run } from '../../command.ts'
import { CONFIG_KEYS, CONFIG_NAMES, type ConfigKey } from '../../config/config-keys.ts'
import {
  APPLICATION_KEYS,
  type EffectiveValue,
  effectiveCredentials,
  FUTURE_SERVER_ORIGIN,
} from '../../config/effective-credentials.ts'
import { resolveSettings } from '../../config/settings-config.ts'
import { printTable } from '../../output/table.ts'
import type { Session } from '../../session.ts'
import type { CONFIG_FLAGS } from '../config.ts'

export const run: Run<NoArguments, typeof CONFIG_FLAGS> = async ({ flags, session }) => {
  if (flags.env) return await printEnvironment(session)
  const { out, values, config } = session
  const effective: { readonly [name: string]: EffectiveValue | undefined } = await effectiveCredentials(session)
  const settings = resolveSettings(config.sources)
  const rows = [
    ...CONFIG_NAMES.map((name) => {
      const { value = values[name], origin = config.origins[name] } = effective[name] ?? {}
      return { name, value: shortenSecret(name, value), origin }
    }),
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

/** Prints the lines of an .env file, with complete secrets. */
async function printEnvironment(session: Session): Promise<number> {
  const { out, values } = session
  const effective = await effectiveCredentials(session)
  const variables = APPLICATION_KEYS.map((name) => [CONFIG_KEYS[name].env, effective[name]?.value ?? ''] as const)
  if (out.json) out.document(Object.fromEntries(variables))
  else for (const [name, value] of variables) out.line(`${name}=${value}`)
  if (effective.url?.origin === FUTURE_SERVER_ORIGIN) {
    out.aside(out.notePaint.dim('PSP_URL is the address of the next `psp serve`.'))
  }
  if (effective.api_key === undefined) {
    out.warn(`Fill in PSP_API_KEY yourself. ${values.url ?? values.data} stores only hashes of its keys.`)
  }
  return 0
}

interface Row {
  readonly name: string
  readonly value: unknown
  readonly origin: string
}

const COLUMNS = [
  { title: 'name', cell: ({ name }: Row) => name },
  { title: 'value', cell: ({ value }: Row) => (Array.isArray(value) ? value.join(', ') : String(value ?? '-')) },
  { title: 'from', cell: ({ origin }: Row) => origin },
]

/** Shows only the first characters of a secret, because this output is often pasted into bug reports. */
function shortenSecret(name: ConfigKey, value: unknown): unknown {
  if (!('secret' in CONFIG_KEYS[name]) || typeof value !== 'string') return value
  return `${value.slice(0, 8)}***`
}
