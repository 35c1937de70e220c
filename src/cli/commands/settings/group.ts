import { command, type Group } from '../../command.ts'
import { SET_ARGUMENTS, SHOW_ARGUMENTS } from './flags.ts'

const examples = [
  ['psp settings', 'every setting with its value, default and origin'],
  ['psp settings set delays.bank=0s buyer=manual', 'change some while the server runs'],
] as const

export const settings: Group = {
  name: 'settings',
  about: 'Show and change the behaviour that the specification leaves open.',
  bare: command({
    name: 'settings',
    about: 'Show the settings.',
    args: SHOW_ARGUMENTS,
    examples,
    load: () => import('./show.ts'),
  }),
  commands: [
    command({
      name: 'get',
      about: 'Show one setting, or all of them.',
      args: SHOW_ARGUMENTS,
      examples: [['psp settings get buyer', 'its value, default and origin']],
      load: () => import('./show.ts'),
    }),
    command({
      name: 'set',
      about: 'Change settings; null restores a default.',
      args: SET_ARGUMENTS,
      examples: examples.slice(1),
      supportsDryRun: true,
      load: () => import('./set.ts'),
    }),
  ],
}
