import { command } from '../../command.ts'
import { WAIT_ARGUMENTS, WAIT_FLAGS } from './flags.ts'

export const wait = command({
  name: 'wait',
  about: 'Wait until an event happens.',
  args: WAIT_ARGUMENTS,
  flags: WAIT_FLAGS,
  examples: [
    ['psp wait payment.succeeded --where order_id=42', 'at most 30 seconds; exit code 7 after a timeout'],
    ['psp wait "payment.*" --count 3 --since 10m --json', 'also count events from the last ten minutes'],
  ],
  load: () => import('./wait.ts'),
})
