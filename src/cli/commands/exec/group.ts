import { command } from '../../command.ts'
import { EXEC_ARGUMENTS, EXEC_FLAGS } from './flags.ts'

export const exec = command({
  name: 'exec',
  about: 'Run a command with a fresh sandbox, and stop the sandbox afterwards.',
  args: EXEC_ARGUMENTS,
  flags: EXEC_FLAGS,
  examples: [
    ['psp exec -- npm test', 'with PSP_URL and credentials set'],
    ['psp exec --report psp-report -- npm test', 'with files of the sandbox data for CI artifacts'],
    ['psp exec --clock frozen --set delays.bank=0s -- npm test', 'with flags of psp serve'],
  ],
  stays: true,
  load: () => import('./exec.ts'),
})
