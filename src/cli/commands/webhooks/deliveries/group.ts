import { command, type Group } from '../../../command.ts'
import { DELIVERY_ID, GET_FLAGS, LIST_FLAGS, RETRY_ARGUMENTS, RETRY_FLAGS } from './flags.ts'

export const deliveries: Group = {
  name: 'deliveries',
  about: 'Show sent webhooks and their responses.',
  commands: [
    command({
      name: 'list',
      about: 'List deliveries, newest first.',
      flags: LIST_FLAGS,
      examples: [['psp webhooks deliveries list --status exhausted', 'those without further retries']],
      load: () => import('./list.ts'),
    }),
    command({
      name: 'get',
      about: 'Show a delivery with every attempt: bytes, headers, status, time and response.',
      args: DELIVERY_ID,
      flags: GET_FLAGS,
      examples: [
        ['psp webhooks deliveries get dlv_…', 'every attempt'],
        ['psp webhooks deliveries get dlv_… --last', 'the last attempt'],
      ],
      load: () => import('./get.ts'),
    }),
    command({
      name: 'retry',
      about: 'Retry one delivery now, or all that match a filter, in the order of their events.',
      args: RETRY_ARGUMENTS,
      flags: RETRY_FLAGS,
      examples: [
        ['psp webhooks deliveries retry dlv_…', 'and show the response'],
        ['psp webhooks deliveries retry --status exhausted', 'all exhausted ones, after the handler is fixed'],
        ['psp webhooks deliveries retry --endpoint we_… --dry-run', 'show what would be sent to one endpoint'],
      ],
      supportsDryRun: true,
      load: () => import('./retry.ts'),
    }),
  ],
}
