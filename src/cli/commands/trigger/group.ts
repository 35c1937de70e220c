import { command } from '../../command.ts'
import { TRIGGER_ARGUMENTS, TRIGGER_FLAGS } from './flags.ts'

export const trigger = command({
  name: 'trigger',
  about: 'Trigger an event with real operations, or play a scenario.',
  args: TRIGGER_ARGUMENTS,
  flags: TRIGGER_FLAGS,
  examples: [
    ['psp trigger payment.succeeded --set amount=150000 --set order_id=42', 'a paid order'],
    ['psp trigger payment.refunded', 'a paid and refunded payment'],
    ['psp trigger partial-refunds', 'a built-in scenario'],
    ['psp trigger ./my-scenario.json', 'a custom scenario'],
  ],
  load: () => import('./trigger.ts'),
})
