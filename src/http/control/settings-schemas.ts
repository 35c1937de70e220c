// The settings as schemas, with a description of each.
import * as z from 'zod'
import { SETTING_NAMES, SETTINGS, type SettingName } from '../../settings.ts'

/** Every setting as people write it, with durations as text. `on` and `off` are converted to their values. */
export const settings = z.strictObject(
  Object.fromEntries(
    SETTING_NAMES.map((name) => [name, shownSchema(name).meta({ description: settingDescription(name) })]),
  ),
)

function shownSchema(name: SettingName): z.ZodType {
  const { schema } = SETTINGS[name]
  const off = schema.safeParse('off')
  if (off.data === false) return z.boolean()
  return off.data === 0 ? z.int().min(0) : schema
}

/** The body of `PATCH /_psp/settings`. The server checks names separately, because its message suggests similar ones. */
export const settingsChange = z.strictObject(
  Object.fromEntries(
    SETTING_NAMES.map((name) => [
      name,
      SETTINGS[name].schema
        .nullable()
        .optional()
        .meta({ description: `${settingDescription(name)}; null restores the default` }),
    ]),
  ),
)

function settingDescription(name: SettingName): string {
  const { description: about, default: fallback } = SETTINGS[name]
  return `${about}; default ${JSON.stringify(fallback)}`
}
