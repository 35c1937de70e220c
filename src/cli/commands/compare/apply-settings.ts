// Writes settings to psp.config.json, and keeps everything else in the file.
import { readFileSync } from 'node:fs'
import { settingEnvName } from '../../../settings.ts'
import { CONFIG_FILE } from '../../config/config-file.ts'
import { resolveSettings } from '../../config/settings-config.ts'
import { resolvePath } from '../../input/files.ts'
import { writeNamed } from '../../output/write-file.ts'
import type { Session } from '../../session.ts'

interface Setting {
  readonly setting: string
  readonly value: unknown
}

/**
 * Warns about settings that a flag or a variable overrides.
 * @throws CliError if the file cannot be written
 */
export async function applySettings(settings: readonly Setting[], session: Session): Promise<void> {
  const path = resolvePath(session.host, CONFIG_FILE)
  await writeNamed(CONFIG_FILE, path, withSettings(textOf(path), settings), { signal: session.signals.ended })
  const { origins } = resolveSettings(session.config.sources)
  for (const { setting } of settings) {
    const origin = origins[setting]
    if (origin === undefined || origin === CONFIG_FILE) continue
    const how = origin === settingEnvName(setting) ? `Unset ${origin}` : `Omit ${origin}`
    session.out.warn(`${origin} overrides ${setting} of ${CONFIG_FILE}. ${how} to use the new value.`)
  }
}

/** The file was parsed when the command started, so it is valid or absent. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
  } catch {
    return '{}\n'
  }
}

/** Returns the JSON with the settings, in the indentation of the file. */
function withSettings(text: string, settings: readonly Setting[]): string {
  const document = JSON.parse(text) as { settings?: object }
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? '  '
  const given = Object.fromEntries(settings.map(({ setting, value }) => [setting, value]))
  const end = /\n?$/.exec(text)?.[0] ?? '\n'
  return JSON.stringify({ ...document, settings: { ...document.settings, ...given } }, undefined, indent) + end
}
