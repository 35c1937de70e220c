import { command } from '../../command.ts'
import { AUDIT_ARGUMENTS, AUDIT_FLAGS } from './flags.ts'

export const audit = command({
  name: 'audit',
  about: 'Check that a webhook handler stands what production sends.',
  args: AUDIT_ARGUMENTS,
  flags: AUDIT_FLAGS,
  examples: [
    ["psp audit 3000/hooks --probe balance --probe 'orders/{order_id}'", 'judge effects by money and by the order'],
    ['psp audit localhost:3000/hooks', 'statuses alone; exit 8 where it does not'],
    ['psp audit 3000/hooks --only duplicates,stale --junit audit.xml', 'two checks, and a report for CI'],
  ],
  load: () => import('./audit.ts'),
})
