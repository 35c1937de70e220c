import { closestName } from '../../../domain/closest-name.ts'
import { SETTING_NAMES, type SettingName } from '../../../settings.ts'
import { usage } from '../../failure.ts'

/** Returns a known name. @throws CliError that suggests a near one */
export function knownSetting(name: string): SettingName {
  const known = SETTING_NAMES.find((one) => one === name)
  if (known !== undefined) return known
  const begun = SETTING_NAMES.filter((one) => one.startsWith(`${name}.`)).join(', ')
  const near = begun === '' ? closestName(name, SETTING_NAMES) : begun
  throw usage(
    `There is no setting ${JSON.stringify(name)}.`,
    near === undefined ? '`psp settings` lists them all.' : `Did you mean ${begun === '' ? near : `one of ${begun}`}?`,
  )
}
