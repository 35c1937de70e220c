// Writes settings to psp.config.json, and keeps everything else in the file.
import { settingEnvName } from '../../../settings.ts'
import { errorCode } from '../../../store/errors.ts'
import { CONFIG_FILE } from '../../config/config-file.ts'
import { resolveSettings } from '../../config/settings-config.ts'
import { readSmallFile, resolvePath } from '../../input/files.ts'
import { decoded } from '../../input/read-input.ts'
import { notWritten, writeNamed } from '../../output/write-file.ts'
import type { Session } from '../../session.ts'

interface Setting {
  readonly setting: string
  readonly value: unknown
}

/**
 * Writes the settings, and warns about those that a flag or a variable overrides.
 * @throws CliError if the file cannot be written
 */
export async function applySettings(settings: readonly Setting[], session: Session): Promise<void> {
  const path = resolvePath(session.host, CONFIG_FILE)
  const bytes = bytesOf(path)
  const text = withSettings(decoded(bytes), settings)
  await writeNamed(CONFIG_FILE, path, encodedLike(bytes, text), { signal: session.signals.ended })
  const { origins } = resolveSettings(session.config.sources)
  for (const { setting } of settings) {
    const origin = origins[setting]
    if (origin === undefined || origin === CONFIG_FILE) continue
    const how = origin === settingEnvName(setting) ? `Unset ${origin}` : `Omit ${origin}`
    session.out.warn(`${origin} overrides ${setting} of ${CONFIG_FILE}. ${how} to use the new value.`)
  }
}

/** Returns the bytes of the file, or of an empty object if there is no file. */
function bytesOf(path: string): Buffer {
  try {
    return readSmallFile(path)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return Buffer.from('{}\n')
    throw notWritten(CONFIG_FILE, error)
  }
}

/** Adds the settings to the JSON, and keeps its indentation and line ends. */
function withSettings(text: string, settings: readonly Setting[]): string {
  const document = JSON.parse(text) as { settings?: object }
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? '  '
  const given = Object.fromEntries(settings.map(({ setting, value }) => [setting, value]))
  const end = /\r?\n$/.exec(text)?.[0] ?? ''
  const changed = { ...document, settings: { ...document.settings, ...given } }
  const lines = JSON.stringify(changed, undefined, indent).split('\n')
  return lines.join(text.includes('\r\n') ? '\r\n' : '\n') + end
}

/** Encodes the text like `bytes`: as UTF-16 or UTF-8, with or without a byte order mark. */
function encodedLike(bytes: Buffer, text: string): Buffer {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return Buffer.from(`\ufeff${text}`, 'utf16le')
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  return Buffer.from(hasMark ? `\ufeff${text}` : text)
}
