import { command, type Group } from '../../command.ts'
import { CREATE_FLAGS, LIST_FLAGS, PAYOUT_ID, SETTLE_ARGUMENTS } from './flags.ts'

export const payouts: Group = {
  name: 'payouts',
  about: 'Send money to people with SBP.',
  commands: [
    command({
      name: 'create',
      about: 'Create a payout.',
      flags: CREATE_FLAGS,
      examples: [
        ['psp payouts create --amount 50000 --phone +79161234567 --bank-id 100000000111', '500.00 RUB'],
        [
          'psp payouts create --amount 50000 --phone +79161234567 --bank-id 100000000111 --outcome failed:recipient_not_found',
          'the bank will decline',
        ],
        [
          'psp payouts create --amount 50000 --phone +79161234567 --bank-id 100000000111 --wait',
          'and wait for its final status',
        ],
      ],
      supportsDryRun: true,
      load: () => import('./create.ts'),
    }),
    command({
      name: 'get',
      about: 'Show a payout.',
      args: PAYOUT_ID,
      examples: [['psp payouts get 3f2a9c1e-…', 'with --json: the object of the API']],
      load: () => import('./get.ts'),
    }),
    command({
      name: 'list',
      about: 'List payouts, newest first; with --api-key only those of its shop and mode.',
      flags: LIST_FLAGS,
      examples: [['psp payouts list --status pending', 'those that the bank has not settled']],
      load: () => import('./list.ts'),
    }),
    command({
      name: 'settle',
      about: 'Act as the bank: settle a pending payout.',
      args: SETTLE_ARGUMENTS,
      examples: [['psp payouts settle 3f2a9c1e-… failed:recipient_not_found', 'final at once']],
      supportsDryRun: true,
      load: () => import('./settle.ts'),
    }),
  ],
}
