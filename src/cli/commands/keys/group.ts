import { command, type Group } from '../../command.ts'
import { CREATE_FLAGS, KEY_ID, LIST_FLAGS } from './flags.ts'

export const keys: Group = {
  name: 'keys',
  about: 'API keys of a shop.',
  commands: [
    command({
      name: 'list',
      about: 'List the keys of a shop; only their first characters are shown.',
      flags: LIST_FLAGS,
      examples: [['psp keys list', 'of the first shop']],
      load: () => import('./list.ts'),
    }),
    command({
      name: 'create',
      about: 'Create a key; it is shown once.',
      flags: CREATE_FLAGS,
      examples: [['psp keys create', 'a test key of the first shop']],
      supportsDryRun: true,
      load: () => import('./create.ts'),
    }),
    command({
      name: 'revoke',
      about: 'Revoke a key and close its stream.',
      args: KEY_ID,
      examples: [['psp keys revoke key_…', 'requests with it get 401']],
      supportsDryRun: true,
      load: () => import('./revoke.ts'),
    }),
  ],
}
