import { command } from '../../command.ts'
import { TAIL_FLAGS } from './flags.ts'

export const tail = command({
  name: 'tail',
  about: 'Follow the event stream without disconnecting your application.',
  flags: TAIL_FLAGS,
  examples: [
    ['psp tail', 'every change, as it happens'],
    ['psp tail --kinds payment.status_changed --json', 'only changes of status, one JSON document per line'],
  ],
  stays: true,
  load: () => import('./tail.ts'),
})
