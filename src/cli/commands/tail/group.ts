import { command } from '../../command.ts'
import { TAIL_FLAGS } from './flags.ts'

export const tail = command({
  name: 'tail',
  about: 'Follow the event stream, without taking the place of your application.',
  flags: TAIL_FLAGS,
  examples: [
    ['psp tail', 'every change, as it happens'],
    ['psp tail --kinds payment.status_changed --json', 'only changes of status, a line of JSON each'],
  ],
  stays: true,
  load: () => import('./tail.ts'),
})
