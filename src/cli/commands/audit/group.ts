import { command } from '../../command.ts'
import { AUDIT_ARGUMENTS, AUDIT_FLAGS } from './flags.ts'

export const audit = command({
  name: 'audit',
  about: 'Check that a webhook handler stands what production sends.',
  args: AUDIT_ARGUMENTS,
  flags: AUDIT_FLAGS,
  examples: [
    ['psp audit localhost:3000/hooks', 'exit 8 where it does not'],
    ['psp audit 3000/hooks --probe localhost:3000/balance', 'judge duplicates and refunds by their effect'],
    ["psp audit 3000/hooks --probe 'localhost:3000/orders/{order_id}'", 'by the state of the order itself'],
    ['psp audit 3000/hooks --only duplicates,stale --junit audit.xml', 'two checks, and a report for CI'],
  ],
  load: () => import('./audit.ts'),
})
