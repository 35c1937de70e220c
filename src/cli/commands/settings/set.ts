import { ApiError } from '../../../client/errors.ts'
import { readSettings, SettingError, settingFromText } from '../../../settings.ts'
import type { NoFlags, Run } from '../../command.ts'
import { CliError, usage } from '../../failure.ts'
import { printResult } from '../../output/print-result.ts'
import { settingPair } from '../../parsing/parse.ts'
import { planText } from '../../parsing/parse-plan.ts'
import type { SET_ARGUMENTS } from './flags.ts'
import { knownSetting } from './known.ts'
import { settingText } from './value-text.ts'

export const run: Run<typeof SET_ARGUMENTS, NoFlags> = async ({ args, session }) => {
  const values = Object.fromEntries(
    args['name=value'].map(settingPair).map(([name, text]) => [name, settingOf(name, text)]),
  )
  const { out } = session
  const { client } = await session.target()
  const before = await client.control.settings.origins()
  const after = await client.control.settings.update(values).catch((error: unknown) => {
    throw withWayBack(error, Object.keys(values))
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

/** Parses a value. `null` restores the default, except for a setting that accepts that text. */
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
    throw usage(why, wayBack(name))
  }
}

/** Adds a hint to an error of the server, which validates more than this command. */
function withWayBack(error: unknown, names: readonly string[]): unknown {
  if (!(error instanceof ApiError) || error.status !== 400) return error
  const name = names.find((one) => error.message.includes(one)) ?? (names.length === 1 ? names[0] : undefined)
  if (name === undefined) return error
  return new ApiError(error.status, error.code, error.message, error.retryAfter, wayBack(name))
}

const wayBack = (name: string) =>
  `\`psp settings set ${name}=null\` restores the default; \`psp settings ${name}\` shows it.`
