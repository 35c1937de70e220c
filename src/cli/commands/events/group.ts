import { command, type Group } from '../../command.ts'
import { EVENT_ID, LIST_FLAGS, REPLAY_ARGUMENTS, REPLAY_FLAGS } from './flags.ts'

export const events: Group = {
  name: 'events',
  about: 'List webhook events and send them again.',
  commands: [
    command({
      name: 'list',
      about: 'List events, newest first.',
      flags: LIST_FLAGS,
      examples: [['psp events list --event "payment.*" --since 1h', 'from the last hour']],
      load: () => import('./list.ts'),
    }),
    command({
      name: 'get',
      about: 'Show an event with its data.',
      args: EVENT_ID,
      examples: [['psp events get evt_…', 'with the object at that time']],
      load: () => import('./get.ts'),
    }),
    command({
      name: 'replay',
      about: 'Send events again: same id and bytes, fresh signature.',
      args: REPLAY_ARGUMENTS,
      flags: REPLAY_FLAGS,
      examples: [
        ['psp events replay evt_…', 'to every current receiver'],
        ['psp events replay evt_… --to localhost:3000/hooks', 'to one URL'],
        ['psp events replay --since 10m --event "payment.*"', 'all from the last ten minutes'],
      ],
      supportsDryRun: true,
      load: () => import('./replay.ts'),
    }),
  ],
}
