import { command, group } from '../command.ts'
import { optional, required, toggle, value } from '../parsing/flags.ts'
import { instantText } from '../parsing/parse.ts'

export const FREEZE_ARGUMENTS = { time: optional('the time to freeze at, RFC 3339; default now') }

export const ADVANCE_ARGUMENTS = { by: optional('how far: 20m, 2h, 3d') }

export const ADVANCE_FLAGS = {
  to: value('--to <time>', 'advance to this time, RFC 3339', instantText),
  until_idle: toggle('--until-idle', 'advance until only expiries are pending, and no other step or webhook attempt'),
}

export const SPEED_ARGUMENTS = { factor: required('factor; with 60, a minute passes each second') }

export const clock = group({
  description: "Show and move the sandbox's clock.",
  defaultCommand: 'show',
  commands: {
    show: command({
      description: "Show the sandbox's clock.",
      examples: [['psp clock', 'Show the mode, the time, and when the next step is due']],
    }),
    freeze: command({
      description: 'Stop the clock.',
      args: FREEZE_ARGUMENTS,
      examples: [
        ['psp clock freeze', 'Freeze the clock now'],
        [
          'psp clock freeze 2030-01-01T00:00:00Z',
          'Freeze the clock at a later time; use `psp store restore` to go back',
        ],
      ],
      supportsDryRun: true,
    }),
    advance: command({
      description: 'Move the clock ahead and run everything that falls due, including webhooks.',
      args: ADVANCE_ARGUMENTS,
      flags: ADVANCE_FLAGS,
      examples: [
        ['psp clock advance 20m', 'Let a payment session expire'],
        ['psp clock advance --until-idle', 'Continue until every webhook is delivered or exhausted'],
      ],
      supportsDryRun: true,
    }),
    resume: command({
      description: 'Let the clock run at normal speed.',
      examples: [['psp clock resume', 'Continue from the current sandbox time']],
      supportsDryRun: true,
    }),
    speed: command({
      description: 'Let the clock run faster or slower.',
      args: SPEED_ARGUMENTS,
      examples: [['psp clock speed 60', 'Let one minute pass each second']],
      supportsDryRun: true,
    }),
  },
})
