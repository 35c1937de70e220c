import { SETTING_NAMES } from '../../../settings.ts'
import { optional, some } from '../../parsing/flags.ts'

export const SHOW_ARGUMENTS = { name: optional('a setting; default all', SETTING_NAMES) }
export const SET_ARGUMENTS = {
  'name=value': some(
    'a setting and its new value',
    SETTING_NAMES.map((name) => `${name}=`),
  ),
}
