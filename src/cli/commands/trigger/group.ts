import { command } from '../../command.ts'
import { TRIGGER_ARGUMENTS, TRIGGER_FLAGS } from './flags.ts'

export const trigger = command({
  name: 'trigger',
  about: 'Make an event happen by real operations, or play a scenario.',
  args: TRIGGER_ARGUMENTS,
  flags: TRIGGER_FLAGS,
  examples: [
    ['psp trigger payment.succeeded --set amount=150000 --set order_id=42', 'a paid order'],
    ['psp trigger payment.refunded', 'a payment, paid and refunded'],
    ['psp trigger partial-refunds', 'a scenario that comes with psp'],
    ['psp trigger ./my-scenario.json', 'one of your own'],
  ],
  load: () => import('./trigger.ts'),
})
