import { RULE_FIELDS } from '../../domain/faults.ts'
import { ID_EXAMPLES } from '../../domain/id-examples.ts'
import { PLAN_NAMES } from '../../domain/simulator-plan.ts'
import { command, group } from '../command.ts'
import { fieldsText, matchFlags, PAGE_FLAGS } from '../parsing/common-flags.ts'
import { required } from '../parsing/flags.ts'

const RULE_ID = { id: required(`rule id, ${ID_EXAMPLES.rule}`) }
export const ADD_ARGUMENTS = {
  plan: required(
    'succeeded, failed:CODE, pending, …; or several with commas: each use takes the next plan, and the last plan repeats',
    PLAN_NAMES,
  ),
}
export const ADD_FLAGS = matchFlags(RULE_FIELDS)
const ADD_NOTES = [
  `Fields of --match: ${fieldsText(RULE_FIELDS)}.`,
  '`method` and `payment_method` are the same field here. In faults, `method` is the HTTP method.',
]

export const rules = group({
  description: 'Choose the outcome of the next payments, refunds and payouts.',
  commands: {
    add: command({
      description: 'Add a rule. The newest matching rule decides.',
      args: ADD_ARGUMENTS,
      flags: ADD_FLAGS,
      examples: [
        [
          'psp rules add failed:insufficient_funds --match order_id=42 --times 1',
          'Decline the next payment of order 42',
        ],
        ['psp rules add pending --match metadata.cart=77', 'Let the bank never respond to payments with this metadata'],
        ['psp rules add failed,failed,succeeded --match operation=payment', 'Fail twice, then succeed'],
      ],
      notes: ADD_NOTES,
      supportsDryRun: true,
    }),
    list: command({
      description: 'List the rules, newest first.',
      flags: PAGE_FLAGS,
      examples: [['psp rules list', 'Show how many times each rule was applied']],
    }),
    remove: command({
      description: 'Remove a rule.',
      args: RULE_ID,
      examples: [['psp rules remove rul_…', 'Remove one rule']],
      supportsDryRun: true,
    }),
    clear: command({
      description: 'Remove all rules.',
      examples: [['psp rules clear', 'Remove all rules']],
      supportsDryRun: true,
    }),
  },
})
