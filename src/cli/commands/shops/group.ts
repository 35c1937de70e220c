import { command, type Group } from '../../command.ts'
import { CHANGE_FLAGS, CREATE_FLAGS, LIST_FLAGS, ROTATE_ARGUMENTS, SHOP_ID } from './flags.ts'

export const shops: Group = {
  name: 'shops',
  about: 'Manage shops (terminals), as in the dashboard.',
  commands: [
    command({
      name: 'list',
      about: 'List the shops, newest first.',
      flags: LIST_FLAGS,
      examples: [['psp shops list', 'with their options']],
      load: () => import('./list.ts'),
    }),
    command({
      name: 'get',
      about: 'Show a shop.',
      args: SHOP_ID,
      examples: [['psp shops get 3f2a9c1e-…', 'all its fields']],
      load: () => import('./get.ts'),
    }),
    command({
      name: 'create',
      about: 'Create a shop with a key and secrets, which are shown once.',
      flags: CREATE_FLAGS,
      examples: [['psp shops create --name "Test 7" --json', 'a separate shop for a parallel test']],
      supportsDryRun: true,
      load: () => import('./create.ts'),
    }),
    command({
      name: 'update',
      about: 'Change a shop.',
      args: SHOP_ID,
      flags: CHANGE_FLAGS,
      examples: [['psp shops update 3f2a9c1e-… --require-signature', 'unsigned requests get 400']],
      supportsDryRun: true,
      load: () => import('./update.ts'),
    }),
    command({
      name: 'rotate-secret',
      about: 'Give a shop a new secret; the old one is invalid at once.',
      args: ROTATE_ARGUMENTS,
      examples: [['psp shops rotate-secret 3f2a9c1e-… webhook', 'shown once']],
      supportsDryRun: true,
      load: () => import('./rotate-secret.ts'),
    }),
  ],
}
