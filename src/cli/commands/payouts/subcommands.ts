import { formatMoney } from '../../../domain/currency.ts'
import { isFailureCode, PAYOUT_FAILURE_CODES } from '../../../domain/failure-codes.ts'
import type { PublicPayout } from '../../../domain/payout.ts'
import { formatUtc } from '../../../domain/time-text.ts'
import type { NoArguments, NoFlags, Run } from '../../command.ts'
import { paintStatus } from '../../output/colour.ts'
import type { Output } from '../../output/output.ts'
import { type Detail, printDetails, printResult } from '../../output/result.ts'
import { type Column, idColumn, timeColumn } from '../../output/table.ts'
import { oneOf } from '../../parsing/parse.ts'
import { requireOrder } from '../../parsing/parser-errors.ts'
import { listSubcommand, resultSubcommand } from '../../subcommand.ts'
import { keyScope, resolveId } from '../../target/resolve-objects.ts'
import type { LIST_FLAGS, PAYOUT_ID, SETTLE_ARGUMENTS } from '../payouts.ts'

export const get: Run<typeof PAYOUT_ID, NoFlags> = resultSubcommand(
  async ({ control, payouts }, { args }) => payouts.get(await resolveId(control.lists.payouts, args.id)),
  (out, payout) => printPayout(out, payout),
)

const COLUMNS: readonly Column<PublicPayout>[] = [
  idColumn('payout', ({ id }) => id),
  { title: 'status', cell: ({ status, fail_reason }) => (fail_reason === '' ? status : `${status} ${fail_reason}`) },
  { title: 'amount', cell: ({ amount, currency }) => formatMoney(amount, currency), right: true },
  { title: 'to', cell: ({ recipient }) => recipient.phone },
  { title: 'bank', cell: ({ recipient }) => recipient.bank_id },
  timeColumn('created', ({ created_at }) => created_at),
]

export const list: Run<NoArguments, typeof LIST_FLAGS> = listSubcommand(
  async (client, { flags, session }) =>
    client.control.lists.payouts({ ...flags, ...(await keyScope(client, session, flags.shop_id)) }),
  COLUMNS,
  'No payouts. Create one: psp payouts create',
)

export const settle: Run<typeof SETTLE_ARGUMENTS, NoFlags> = async ({ args, session }) => {
  requireOrder('psp payouts settle', [args.id, args.result], (text) => /^(succeeded|failed)(:|$)/.test(text))
  const [word = '', code] = args.result.split(':', 2)
  const status = oneOf(word, ['succeeded', 'failed'])
  const failure_code = code === undefined || isFailureCode(code) ? code : oneOf(code, PAYOUT_FAILURE_CODES)
  const { client } = await session.target()
  const id = await resolveId(client.control.lists.payouts, args.id)
  const payout = await client.control.act.payout(id, { action: 'settle', status, failure_code })
  return await printResult(session.out, payout, (settled) => printPayout(session.out, settled))
}

export function printPayout(out: Output, payout: PublicPayout, more: readonly Detail[] = []): void {
  printDetails(out, [
    ['payout', payout.id, out.paint.bold],
    ['status', payout.status, (text) => paintStatus(out.paint, text)],
    ['failure', payout.fail_reason],
    ['amount', formatMoney(payout.amount, payout.currency)],
    ['to', payout.recipient.phone],
    ['bank', payout.recipient.bank_id],
    ['name', payout.recipient.full_name],
    ['created', formatUtc(payout.created_at)],
    ['completed', payout.completed_at && formatUtc(payout.completed_at)],
    ...more,
  ])
}
