import { command } from '../../command.ts'
import { CONFIG_FLAGS } from './flags.ts'

export const config = command({
  name: 'config',
  about: 'Show the merged configuration and where each value came from.',
  flags: CONFIG_FLAGS,
  examples: [
    ['psp config', 'flag, environment, psp.config.json or default'],
    ['psp config --json', 'as one document'],
    ['psp config --env > .env', 'URL, key and secrets of this sandbox, for your application'],
  ],
  load: () => import('./config.ts'),
})
