import { command, type Group } from '../../command.ts'
import { PAYMENT_ID } from './arguments.ts'
import { CREATE_FLAGS, DECLINE_FLAGS, LIST_FLAGS, OPEN_FLAGS, PAY_FLAGS, REFUND_FLAGS } from './flags.ts'

export const payments: Group = {
  name: 'payments',
  about: 'Create, show, pay and refund payments.',
  commands: [
    command({
      name: 'create',
      about: 'Create a payment.',
      flags: CREATE_FLAGS,
      examples: [
        ['psp payments create --amount 150000', '1 500.00 RUB, the buyer picks the method'],
        ['psp payments create --amount 100 --method sbp --wait', 'and wait for its final status'],
        ['psp payments create --amount 100 --outcome failed:insufficient_funds', 'the bank will decline'],
        ['psp payments create --amount 100 --open', 'and pay it in the browser'],
        ['psp payments create --amount 100 --count 1000 --concurrency 32', 'a thousand payments'],
      ],
      supportsDryRun: true,
      load: () => import('./create.ts'),
    }),
    command({
      name: 'get',
      about: 'Show a payment.',
      args: PAYMENT_ID,
      examples: [['psp payments get 3f2a9c1e-… --json', 'the object of the API']],
      load: () => import('./get.ts'),
    }),
    command({
      name: 'list',
      about: 'List payments, newest first; with --api-key only those of its shop and mode.',
      flags: LIST_FLAGS,
      examples: [['psp payments list --status succeeded --limit 10', 'the last ten paid ones']],
      load: () => import('./list.ts'),
    }),
    command({
      name: 'cancel',
      about: 'Cancel a pending payment.',
      args: PAYMENT_ID,
      examples: [['psp payments cancel 3f2a9c1e-…', 'sends the webhook payment.cancelled']],
      supportsDryRun: true,
      load: () => import('./cancel.ts'),
    }),
    command({
      name: 'refund',
      about: 'Refund a succeeded payment, in full or in part.',
      args: PAYMENT_ID,
      flags: REFUND_FLAGS,
      examples: [
        ['psp payments refund 3f2a9c1e-…', 'the remainder'],
        ['psp payments refund 3f2a9c1e-… --amount 5000 --reason "one of two items"', 'a part'],
      ],
      supportsDryRun: true,
      load: () => import('./refund.ts'),
    }),
    command({
      name: 'pay',
      about: 'Act as the buyer: pay.',
      args: PAYMENT_ID,
      flags: PAY_FLAGS,
      examples: [['psp payments pay 3f2a9c1e-… --method sbp', 'final at once']],
      supportsDryRun: true,
      load: () => import('./pay.ts'),
    }),
    command({
      name: 'decline',
      about: 'Act as the bank: decline.',
      args: PAYMENT_ID,
      flags: DECLINE_FLAGS,
      examples: [['psp payments decline 3f2a9c1e-… --code insufficient_funds', 'final at once']],
      supportsDryRun: true,
      load: () => import('./decline.ts'),
    }),
    command({
      name: 'open',
      about: 'Open the hosted page of a payment in the browser.',
      args: PAYMENT_ID,
      flags: OPEN_FLAGS,
      examples: [
        ['psp payments open 3f2a9c1e-…', 'as the buyer sees it'],
        ['psp payments open 3f2a9c1e-… --lang ru', 'in Russian'],
      ],
      load: () => import('./open.ts'),
    }),
  ],
}
