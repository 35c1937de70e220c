import { command, type Group } from '../../../command.ts'
import { CREATE_FLAGS, ENDPOINT_ID, ENDPOINT_URL, LIST_FLAGS, UPDATE_FLAGS } from './flags.ts'

export const endpoints: Group = {
  name: 'endpoints',
  about: 'Manage webhook endpoints.',
  commands: [
    command({
      name: 'list',
      about: 'List the webhook endpoints of a shop.',
      flags: LIST_FLAGS,
      examples: [['psp webhooks endpoints list', 'of the first shop']],
      load: () => import('./list.ts'),
    }),
    command({
      name: 'create',
      about: 'Add a webhook endpoint; its secret is shown once.',
      args: ENDPOINT_URL,
      flags: CREATE_FLAGS,
      examples: [
        ['psp webhooks endpoints create localhost:3000/hooks --events "payment.*"', 'payments only'],
        ['psp webhooks endpoints create localhost:3000/hooks --own-secret off', 'signed with PSP_WEBHOOK_SECRET'],
      ],
      supportsDryRun: true,
      load: () => import('./create.ts'),
    }),
    command({
      name: 'update',
      about: 'Change a webhook endpoint.',
      args: ENDPOINT_ID,
      flags: UPDATE_FLAGS,
      examples: [['psp webhooks endpoints update we_… --active off', 'it receives no more webhooks']],
      supportsDryRun: true,
      load: () => import('./update.ts'),
    }),
    command({
      name: 'delete',
      about: 'Delete a webhook endpoint and cancel its pending deliveries.',
      args: ENDPOINT_ID,
      examples: [['psp webhooks endpoints delete we_…', 'at once']],
      supportsDryRun: true,
      load: () => import('./delete.ts'),
    }),
    command({
      name: 'rotate-secret',
      about: 'Give a webhook endpoint a new secret; the old one is invalid at once.',
      args: ENDPOINT_ID,
      examples: [['psp webhooks endpoints rotate-secret we_…', 'shown once']],
      supportsDryRun: true,
      load: () => import('./rotate-secret.ts'),
    }),
    command({
      name: 'test',
      about: 'Send a webhook endpoint a signed sample.',
      args: ENDPOINT_ID,
      examples: [['psp webhooks endpoints test we_…', 'payment.succeeded with metadata.sample']],
      supportsDryRun: true,
      load: () => import('./test.ts'),
    }),
  ],
}
