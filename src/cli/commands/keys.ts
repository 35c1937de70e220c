import { ID_EXAMPLES } from '../../domain/id-examples.ts'
import { command, group } from '../command.ts'
import { PAGE_FLAGS, SHOP } from '../parsing/common-flags.ts'
import { choice, required, toggle } from '../parsing/flags.ts'
import { oneOf } from '../parsing/parse.ts'

export const KEY_ID = { id: required(`key id, ${ID_EXAMPLES.key}`) }
export const LIST_FLAGS = {
  shop: SHOP,
  all: toggle('--all', 'also show revoked keys; --json always contains them'),
  ...PAGE_FLAGS,
}
export const CREATE_FLAGS = {
  shop: SHOP,
  mode: choice(
    '--mode <mode>',
    'kind of key, default test; payments of a live key ignore magic values',
    ['test', 'live'] as const,
    oneOf,
  ),
}

export const keys = group({
  description: 'Manage the API keys of a shop.',
  commands: {
    list: command({
      description: 'List the keys of a shop; only their first characters are shown.',
      flags: LIST_FLAGS,
      examples: [['psp keys list', 'Show the keys of the default shop']],
    }),
    create: command({
      description: 'Create a key; it is shown once.',
      flags: CREATE_FLAGS,
      examples: [['psp keys create', 'Create a test key for the default shop']],
      supportsDryRun: true,
    }),
    revoke: command({
      description: 'Revoke a key and close its stream.',
      args: KEY_ID,
      examples: [['psp keys revoke key_…', 'Respond with 401 to requests with this key']],
      supportsDryRun: true,
    }),
  },
})
