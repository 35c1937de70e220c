import { command, type Group } from '../../command.ts'
import { ADD_ARGUMENTS, ADD_FLAGS, ADD_REMARKS, LIST_FLAGS, RULE_ID } from './flags.ts'

export const rules: Group = {
  name: 'rules',
  about: 'Choose the outcome of the next payments, refunds and payouts.',
  commands: [
    command({
      name: 'add',
      about: 'Add a rule. The newest matching rule decides.',
      args: ADD_ARGUMENTS,
      flags: ADD_FLAGS,
      examples: [
        ['psp rules add failed:insufficient_funds --match order_id=42 --times 1', 'the next payment of order 42'],
        ['psp rules add pending --match metadata.cart=77', 'payments with this metadata'],
        ['psp rules add failed,failed,succeeded --match operation=payment', 'fail twice, then succeed'],
      ],
      remarks: ADD_REMARKS,
      supportsDryRun: true,
      load: () => import('./add.ts'),
    }),
    command({
      name: 'list',
      about: 'List the rules, newest first.',
      flags: LIST_FLAGS,
      examples: [['psp rules list', 'with how often each was applied']],
      load: () => import('./list.ts'),
    }),
    command({
      name: 'remove',
      about: 'Remove a rule.',
      args: RULE_ID,
      examples: [['psp rules remove rul_…', 'this one']],
      supportsDryRun: true,
      load: () => import('./remove.ts'),
    }),
    command({
      name: 'clear',
      about: 'Remove all rules.',
      examples: [['psp rules clear', 'all of them']],
      supportsDryRun: true,
      load: () => import('./clear.ts'),
    }),
  ],
}
