import { command } from '../../command.ts'

export const config = command({
  name: 'config',
  about: 'Show the merged configuration and where each value came from.',
  examples: [
    ['psp config', 'flag, environment, psp.config.json or default'],
    ['psp config --json', 'as one document'],
  ],
  load: () => import('./config.ts'),
})
