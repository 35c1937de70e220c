import { command } from '../../command.ts'
import { LOGS_FLAGS } from './flags.ts'

export const logs = command({
  name: 'logs',
  about: 'Show the requests to the server, and what decided their outcomes.',
  flags: LOGS_FLAGS,
  examples: [
    ['psp logs --follow', 'new requests as they happen'],
    ['psp logs --status 4xx --show-body', 'failed requests with their bodies'],
  ],
  stays: true,
  load: () => import('./logs.ts'),
})
