// Checks psp.config.json and the settings. An unreadable file already fails before any command runs.
import { CONFIG_FILE } from '../../config/config-file.ts'
import { explain } from '../../failure.ts'
import type { Session } from '../../session.ts'
import { type Found, fail, ok } from './checks-contract.ts'

export async function checkConfig({ config }: Session): Promise<Found> {
  const { resolveSettings } = await import('../../config/settings-config.ts')
  try {
    resolveSettings(config.sources)
  } catch (error) {
    const { message, hint } = explain(error)
    return fail(message, hint)
  }
  const { values, settings } = config.sources.file
  const named = [...values.keys(), ...Object.keys(settings)]
  return ok(named.length === 0 ? `no ${CONFIG_FILE} here` : `${CONFIG_FILE} sets ${named.join(', ')}`)
}
