import { SETTING_NAMES } from '../../settings.ts'
import { command, type Group } from '../command.ts'
import { optional, some } from '../parsing/flags.ts'

export const SHOW_ARGUMENTS = { name: optional('a setting; default all', SETTING_NAMES) }
export const SET_ARGUMENTS = {
  'name=value': some(
    'a setting and its new value',
    SETTING_NAMES.map((name) => `${name}=`),
  ),
}

const examples = [
  ['psp settings', 'Show every setting with its value, default and origin'],
  ['psp settings set delays.bank=0s buyer=manual', 'Change settings while the server runs'],
] as const

export const settings: Group = {
  name: 'settings',
  about: 'Show and change the behaviour that the specification leaves open.',
  defaultCommand: command({
    name: 'settings',
    about: 'Show the settings.',
    args: SHOW_ARGUMENTS,
    examples,
    load: async () => (await import('./settings/verbs.ts')).show,
  }),
  commands: [
    command({
      name: 'get',
      about: 'Show one setting, or all of them.',
      args: SHOW_ARGUMENTS,
      examples: [['psp settings get buyer', 'Show its value, default and origin']],
      load: async () => (await import('./settings/verbs.ts')).show,
    }),
    command({
      name: 'set',
      about: 'Change settings; null restores a default.',
      args: SET_ARGUMENTS,
      examples: examples.slice(1),
      supportsDryRun: true,
      load: async () => (await import('./settings/verbs.ts')).set,
    }),
  ],
}
