import { command } from '../../command.ts'
import { AUDIT_ARGUMENTS, AUDIT_FLAGS } from './flags.ts'

export const audit = command({
  name: 'audit',
  about: 'Test a webhook handler with the cases that occur in production.',
  args: AUDIT_ARGUMENTS,
  flags: AUDIT_FLAGS,
  examples: [
    [
      "psp audit 3000/hooks --probe balance --probe 'orders/{order_id}'",
      'check the effects on the balance and the order',
    ],
    ['psp audit localhost:3000/hooks', 'check only statuses; exit code 8 if a check fails'],
    ['psp audit 3000/hooks --only duplicates,stale --junit audit.xml', 'run two checks and write a report for CI'],
  ],
  load: () => import('./audit.ts'),
})
