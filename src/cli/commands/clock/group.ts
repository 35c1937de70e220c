import { command, type Group } from '../../command.ts'
import { ADVANCE_ARGUMENTS, ADVANCE_FLAGS, FREEZE_ARGUMENTS, SPEED_ARGUMENTS } from './flags.ts'

const show = command({
  name: 'show',
  about: "Show the sandbox's clock.",
  examples: [['psp clock', 'mode, time, and when the next step is due']],
  load: () => import('./show.ts'),
})

export const clock: Group = {
  name: 'clock',
  about: "Show and move the sandbox's clock.",
  bare: show,
  commands: [
    show,
    command({
      name: 'freeze',
      about: 'Let time stand still.',
      args: FREEZE_ARGUMENTS,
      examples: [
        ['psp clock freeze', 'now'],
        ['psp clock freeze 2030-01-01T00:00:00Z', 'at a later instant; psp store restore goes back'],
      ],
      supportsDryRun: true,
      load: () => import('./freeze.ts'),
    }),
    command({
      name: 'advance',
      about: 'Move time ahead; everything due on the way happens, webhooks included.',
      args: ADVANCE_ARGUMENTS,
      flags: ADVANCE_FLAGS,
      examples: [
        ['psp clock advance 20m', 'a payment session expires'],
        ['psp clock advance --until-idle', 'until every webhook has arrived or was given up'],
      ],
      supportsDryRun: true,
      load: () => import('./advance.ts'),
    }),
    command({
      name: 'resume',
      about: 'Let time go on at its own speed.',
      examples: [['psp clock resume', 'from where it stands']],
      supportsDryRun: true,
      load: () => import('./resume.ts'),
    }),
    command({
      name: 'speed',
      about: 'Let time run faster or slower.',
      args: SPEED_ARGUMENTS,
      examples: [['psp clock speed 60', 'a minute in a second']],
      supportsDryRun: true,
      load: () => import('./speed.ts'),
    }),
  ],
}
