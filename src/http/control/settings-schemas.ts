// The settings as schemas, with a sentence on each.
import * as z from 'zod'
import { SETTING_NAMES, SETTINGS, type SettingName } from '../../settings.ts'

/** Every setting, as people write it: durations are text. */
export const settings = z.strictObject(
  Object.fromEntries(
    SETTING_NAMES.map((name) => [name, SETTINGS[name].schema.meta({ description: aboutSetting(name) })]),
  ),
)

/** The body of `PATCH /_psp/settings`. The server checks names by itself, because its message suggests similar ones. */
export const settingsChange = z.strictObject(
  Object.fromEntries(
    SETTING_NAMES.map((name) => [
      name,
      SETTINGS[name].schema
        .nullable()
        .optional()
        .meta({ description: `${aboutSetting(name)}; null restores the default` }),
    ]),
  ),
)

function aboutSetting(name: SettingName): string {
  const { about, default: fallback } = SETTINGS[name]
  return `${about}; default ${JSON.stringify(fallback)}`
}
