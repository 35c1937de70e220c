import type { Client } from '../../../client/client.ts'
import type { CreatePayoutResponse } from '../../../client/public-types.ts'
import type { PublicPayout } from '../../../domain/payout.ts'
import type { NoArguments, Run } from '../../command.ts'
import { usageError } from '../../failure.ts'
import { printResult } from '../../output/result.ts'
import { type AwaitedObject, chooseIdempotencyKey, waitForFinalStatus } from '../../target/final-status.ts'
import type { CREATE_FLAGS } from '../payouts.ts'
import { printPayout } from './subcommands.ts'

const EXAMPLE = 'psp payouts create --amount 50000 --phone +79161234567 --bank-id 100000000111'

export const create: Run<NoArguments, typeof CREATE_FLAGS> = async ({ flags, session }) => {
  const { amount, phone, bank_id, full_name, currency } = flags
  if (amount === undefined) throw usageError('--amount is missing.', EXAMPLE)
  if (phone === undefined) throw usageError('--phone is missing.', EXAMPLE)
  if (bank_id === undefined) throw usageError('--bank-id is missing.', `${EXAMPLE}; \`psp banks\` lists the banks.`)
  const { out } = session
  const { client } = await session.target()
  let response = await client.payouts.create(
    { amount, phone, bank_id, full_name, currency },
    { idempotencyKey: chooseIdempotencyKey(flags.idempotency_key, session), outcome: flags.outcome },
  )
  if (flags.wait) {
    response = {
      ...response,
      payout: await waitForFinalStatus(client, awaitedPayout(client, response.payout), session),
    }
  }
  const planned = out.json ? undefined : await planOf(client, response)
  return await printResult(out, response, () =>
    printPayout(out, response.payout, [
      ['planned', planned],
      // The sandbox sets both fields to the same code. The real service may give only `failure_reason`.
      ['refused', response.payout.fail_reason === response.failure_reason ? undefined : response.failure_reason],
      ['repeated', response.idempotent ? 'yes: the key was used before' : undefined],
    ]),
  )
}

function awaitedPayout(client: Client, created: PublicPayout): AwaitedObject<PublicPayout> {
  return {
    kind: 'payout',
    created,
    isFinal: ({ status }) => status !== 'pending',
    get: () => client.payouts.get(created.id),
    showCommand: `psp payouts get ${created.id}`,
  }
}

/**
 * Returns the plan; `undefined` from the real service, which has none. If the response contains only `failed`, reads
 * the complete plan from the control API.
 */
async function planOf(client: Client, { simulator, payout }: CreatePayoutResponse): Promise<string | undefined> {
  if (simulator !== 'failed') return simulator
  const page = await client.control.lists.payouts({ shop_id: payout.shop_id, limit: MAX_ROWS }).catch(() => undefined)
  const found = page?.items.find(({ id }) => id === payout.id)
  return found === undefined ? simulator : `${found.plan} (${found.decided_by})`
}

/** Rows to search. The newest are first, but other processes may create payouts at the same time. */
const MAX_ROWS = 20
