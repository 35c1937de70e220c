import { SETTING_NAMES } from '../../settings.ts'
import { command, group } from '../command.ts'
import { oneOrMore, optional } from '../parsing/flags.ts'

export const SHOW_ARGUMENTS = { name: optional('a setting; default all', SETTING_NAMES) }
export const SET_ARGUMENTS = {
  'name=value': oneOrMore(
    'a setting and its new value',
    SETTING_NAMES.map((name) => `${name}=`),
  ),
}

export const settings = group({
  description: 'Show and change how the sandbox behaves, such as its delays.',
  defaultCommand: 'get',
  commands: {
    get: command({
      description: 'Show one setting, or all of them.',
      args: SHOW_ARGUMENTS,
      examples: [
        ['psp settings', 'Show every setting with its value, default and origin'],
        ['psp settings get buyer', 'Show one setting with its value, default and origin'],
      ],
    }),
    set: command({
      description: 'Change settings; null restores a default.',
      args: SET_ARGUMENTS,
      examples: [['psp settings set delays.bank=0s buyer=manual', 'Change settings while the server runs']],
      supportsDryRun: true,
    }),
  },
})
