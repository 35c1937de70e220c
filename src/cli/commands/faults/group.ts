import { command, type Group } from '../../command.ts'
import { ADD_ARGUMENTS, ADD_FLAGS, ADD_REMARKS, FAULT_ID, LIST_FLAGS } from './flags.ts'

export const faults: Group = {
  name: 'faults',
  about: 'Inject transport faults, a limited number of times.',
  commands: [
    command({
      name: 'add',
      about: 'Add a fault of the API, the webhooks, the stream or the redirect.',
      args: ADD_ARGUMENTS,
      flags: ADD_FLAGS,
      examples: [
        ['psp faults add webhook duplicate:1 --match event=payment.succeeded --times 1', 'the same event twice'],
        ['psp faults add api status:503 --times 2', 'two 503 responses'],
        ['psp faults add api latency:2s --match order_id=A-1', 'each request about this order, before it exists'],
        ['psp faults add api cut --times 1', 'the payment is created, but the response is lost'],
        ['psp faults add api late_response:30s --times 1', 'the payment is created, but the response arrives too late'],
      ],
      remarks: ADD_REMARKS,
      supportsDryRun: true,
      load: () => import('./add.ts'),
    }),
    command({
      name: 'list',
      about: 'List the faults, newest first.',
      flags: LIST_FLAGS,
      examples: [['psp faults list', 'with how often each was applied']],
      load: () => import('./list.ts'),
    }),
    command({
      name: 'remove',
      about: 'Remove a fault; attempts that it deferred continue.',
      args: FAULT_ID,
      examples: [['psp faults remove flt_…', 'this one']],
      supportsDryRun: true,
      load: () => import('./remove.ts'),
    }),
    command({
      name: 'clear',
      about: 'Remove all faults; attempts that they deferred continue.',
      examples: [['psp faults clear', 'all of them']],
      supportsDryRun: true,
      load: () => import('./clear.ts'),
    }),
  ],
}
