import { PAYOUT_FAILURE_CODES } from '../../domain/failure-codes.ts'
import { shortenableId } from '../../domain/id-examples.ts'
import { PAYOUT_STATUSES } from '../../domain/payout.ts'
import { planNames } from '../../domain/simulator-plan.ts'
import { command, group } from '../command.ts'
import { PAGE_FLAGS, SHOP_FILTER } from '../parsing/common-flags.ts'
import { choice, mandatory, required, toggle, value } from '../parsing/flags.ts'
import { bankNumber, currencyCode, minorUnits, oneOf, phoneNumber } from '../parsing/parse.ts'
import { planText } from '../parsing/parse-plan.ts'

export const PAYOUT_ID = { id: required(shortenableId('payout')) }

export const CREATE_FLAGS = {
  amount: mandatory(value('--amount <n>', 'amount in minor units: 150000 is 1 500.00 RUB', minorUnits)),
  phone: mandatory(value('--phone <phone>', 'phone of the recipient, +7 and ten digits', phoneNumber)),
  bank_id: mandatory(
    value('--bank-id <id>', "id of the recipient's bank, twelve digits; psp banks lists them", bankNumber),
  ),
  full_name: value('--full-name <name>', 'name of the recipient, which the bank checks'),
  currency: value('--currency <code>', 'ISO 4217 code, default RUB', currencyCode),
  idempotency_key: value('--idempotency-key <key>', 'a second request with the same key returns the same payout'),
  outcome: value(
    '--outcome <plan>',
    'what the bank will do: succeeded, failed:recipient_not_found, …',
    planText,
    planNames(PAYOUT_FAILURE_CODES),
  ),
  wait: toggle('--wait', 'wait until its status is final'),
}

export const LIST_FLAGS = {
  status: choice('--status <status>', 'only with this status', PAYOUT_STATUSES, oneOf),
  shop_id: SHOP_FILTER,
  ...PAGE_FLAGS,
}

const RESULTS = ['succeeded', 'failed', ...PAYOUT_FAILURE_CODES.map((code) => `failed:${code}`)]

export const SETTLE_ARGUMENTS = {
  id: required(shortenableId('payout')),
  result: required('succeeded, failed or failed:CODE', RESULTS),
}

export const payouts = group({
  description: 'Send money to people through SBP.',
  commands: {
    create: command({
      description: 'Create a payout.',
      flags: CREATE_FLAGS,
      examples: [
        ['psp payouts create --amount 50000 --phone +79161234567 --bank-id 100000000111', 'Pay out 500.00 RUB'],
        [
          'psp payouts create --amount 50000 --phone +79161234567 --bank-id 100000000111 --outcome failed:recipient_not_found',
          'Let the bank decline it',
        ],
        [
          'psp payouts create --amount 50000 --phone +79161234567 --bank-id 100000000111 --wait',
          'Wait for its final status',
        ],
      ],
      supportsDryRun: true,
    }),
    get: command({
      description: 'Show a payout.',
      args: PAYOUT_ID,
      examples: [['psp payouts get 3f2a9c1e-…', 'Show the status and the recipient of a payout']],
    }),
    list: command({
      description: 'List payouts, newest first. An API key limits them to its shop and mode.',
      flags: LIST_FLAGS,
      examples: [['psp payouts list --status pending', 'Show payouts that the bank has not settled']],
    }),
    settle: command({
      description: 'Settle a pending payout, as the bank.',
      args: SETTLE_ARGUMENTS,
      examples: [
        ['psp payouts settle 3f2a9c1e-… failed:recipient_not_found', 'Let a payout fail; the status is final at once'],
      ],
      supportsDryRun: true,
    }),
  },
})
