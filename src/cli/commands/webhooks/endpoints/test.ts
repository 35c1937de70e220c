import type { NoFlags, Run } from '../../../command.ts'
import { EXIT_CODES } from '../../../exit-codes.ts'
import { printResult } from '../../../output/print-result.ts'
import { notTaken } from '../deliveries/failed-deliveries.ts'
import { printDelivery } from '../deliveries/view.ts'
import type { ENDPOINT_ID } from './flags.ts'

/** Returns exit code 1 if the delivery failed. */
export const run: Run<typeof ENDPOINT_ID, NoFlags> = async ({ args, session }) => {
  const { client } = await session.target('server')
  const delivery = await client.control.endpoints.test(args.id)
  if (session.out.json && delivery.status !== 'delivered') throw notTaken([delivery], 1)
  await printResult(session.out, delivery, (tested) => printDelivery(session.out, tested, false))
  return delivery.status === 'delivered' ? EXIT_CODES.done : EXIT_CODES.failed
}
