import { script } from '@bomb.sh/tab'
import type { NoFlags, Run } from '../../command.ts'
import { oneOf } from '../../parse.ts'
import type { COMPLETION_ARGUMENTS } from './flags.ts'

/** The script asks `psp complete -- words…` what fits. */
export const run: Run<typeof COMPLETION_ARGUMENTS, NoFlags> = async ({ args }) => {
  script(oneOf(args.shell, ['bash', 'zsh', 'fish', 'powershell']), 'psp', 'psp')
  return 0
}
