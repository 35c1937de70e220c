import { command } from '../../command.ts'
import { LOGS_FLAGS } from './flags.ts'

export const logs = command({
  name: 'logs',
  about: 'Show the requests the server answered, and what decided.',
  flags: LOGS_FLAGS,
  examples: [
    ['psp logs --follow', 'as they come'],
    ['psp logs --status 4xx --show-body', 'what was refused, and why'],
  ],
  stays: true,
  load: () => import('./logs.ts'),
})
