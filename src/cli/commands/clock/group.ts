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
      about: 'Stop the clock.',
      args: FREEZE_ARGUMENTS,
      examples: [
        ['psp clock freeze', 'now'],
        ['psp clock freeze 2030-01-01T00:00:00Z', 'at a later time; psp store restore goes back'],
      ],
      supportsDryRun: true,
      load: () => import('./freeze.ts'),
    }),
    command({
      name: 'advance',
      about: 'Move the clock ahead and run everything that falls due, including webhooks.',
      args: ADVANCE_ARGUMENTS,
      flags: ADVANCE_FLAGS,
      examples: [
        ['psp clock advance 20m', 'a payment session expires'],
        ['psp clock advance --until-idle', 'until every webhook is delivered or exhausted'],
      ],
      supportsDryRun: true,
      load: () => import('./advance.ts'),
    }),
    command({
      name: 'resume',
      about: 'Let the clock run at normal speed.',
      examples: [['psp clock resume', 'from the current sandbox time']],
      supportsDryRun: true,
      load: () => import('./resume.ts'),
    }),
    command({
      name: 'speed',
      about: 'Let the clock run faster or slower.',
      args: SPEED_ARGUMENTS,
      examples: [['psp clock speed 60', 'a minute per second']],
      supportsDryRun: true,
      load: () => import('./speed.ts'),
    }),
  ],
}
