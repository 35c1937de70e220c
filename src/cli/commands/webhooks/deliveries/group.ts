import { command, type Group } from '../../../command.ts'
import { DELIVERY_ID, GET_FLAGS, LIST_FLAGS, RETRY_ARGUMENTS, RETRY_FLAGS } from './flags.ts'

export const deliveries: Group = {
  name: 'deliveries',
  about: 'What was sent, and what came back.',
  commands: [
    command({
      name: 'list',
      about: 'List deliveries, newest first.',
      flags: LIST_FLAGS,
      examples: [['psp webhooks deliveries list --status exhausted', 'those that were given up']],
      load: () => import('./list.ts'),
    }),
    command({
      name: 'get',
      about: 'Show a delivery with every attempt: bytes, headers, status, time, answer.',
      args: DELIVERY_ID,
      flags: GET_FLAGS,
      examples: [
        ['psp webhooks deliveries get dlv_…', 'everything that is known'],
        ['psp webhooks deliveries get dlv_… --last', 'the last attempt'],
      ],
      load: () => import('./get.ts'),
    }),
    command({
      name: 'retry',
      about: 'Make one more attempt now: of one delivery, or of all that a filter finds, in the order of their events.',
      args: RETRY_ARGUMENTS,
      flags: RETRY_FLAGS,
      examples: [
        ['psp webhooks deliveries retry dlv_…', 'and see the answer'],
        ['psp webhooks deliveries retry --status exhausted', 'all that were given up, once the handler is back'],
        ['psp webhooks deliveries retry --endpoint we_… --dry-run', 'what would be sent to one of them'],
      ],
      supportsDryRun: true,
      load: () => import('./retry.ts'),
    }),
  ],
}
