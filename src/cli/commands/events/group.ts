import { command, type Group } from '../../command.ts'
import { EVENT_ID, LIST_FLAGS, REPLAY_ARGUMENTS, REPLAY_FLAGS } from './flags.ts'

export const events: Group = {
  name: 'events',
  about: 'Look at webhook events, and send them again.',
  commands: [
    command({
      name: 'list',
      about: 'List events, newest first.',
      flags: LIST_FLAGS,
      examples: [['psp events list --event "payment.*" --since 1h', 'of the last hour']],
      load: () => import('./list.ts'),
    }),
    command({
      name: 'get',
      about: 'Show an event with its data.',
      args: EVENT_ID,
      examples: [['psp events get evt_…', 'the object as it was then']],
      load: () => import('./get.ts'),
    }),
    command({
      name: 'replay',
      about: 'Send events again: same id and bytes, fresh signature.',
      args: REPLAY_ARGUMENTS,
      flags: REPLAY_FLAGS,
      examples: [
        ['psp events replay evt_…', 'to everybody who would get it now'],
        ['psp events replay evt_… --to localhost:3000/hooks', 'to one address'],
        ['psp events replay --since 10m --event "payment.*"', 'all of the last ten minutes'],
      ],
      supportsDryRun: true,
      load: () => import('./replay.ts'),
    }),
  ],
}
