import { answer } from '../../answer.ts'
import type { NoArguments, Run } from '../../command.ts'
import { usage } from '../../failure.ts'
import type { CREATE_FLAGS } from './flags.ts'
import { printPayout } from './view.ts'

const EXAMPLE = 'psp payouts create --amount 50000 --phone +79161234567 --bank-id 100000000111'

export const run: Run<NoArguments, typeof CREATE_FLAGS> = async ({ flags, session }) => {
  const { amount, phone, bank_id, full_name, currency } = flags
  if (amount === undefined) throw usage('--amount is missing.', EXAMPLE)
  if (phone === undefined) throw usage('--phone is missing.', EXAMPLE)
  if (bank_id === undefined) throw usage('--bank-id is missing.', `${EXAMPLE}; \`psp banks\` lists the banks.`)
  const { out } = session
  const { client } = await session.target()
  const reply = await client.payouts.create(
    { amount, phone, bank_id, full_name, currency },
    { idempotencyKey: flags.idempotency_key, outcome: flags.outcome },
  )
  return await answer(out, reply, () =>
    printPayout(out, reply.payout, [
      ['planned', reply.simulator === 'failed' ? (flags.outcome ?? 'failed') : reply.simulator],
      ['refused', reply.failure_reason],
      ['replayed', reply.idempotent ? 'yes: the key was used before' : undefined],
    ]),
  )
}
