// The settings as schemas, with a description of each.
import * as z from 'zod'
import { SETTING_NAMES, SETTINGS, type SettingName } from '../../settings.ts'

/** The settings as the API returns them: durations as strings, and `off` as false or 0. */
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

/** The body of `PATCH /_psp/settings` in the document. The server itself suggests names for unknown ones. */
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
