import { answer } from '../../../answer.ts'
import type { NoFlags, Run } from '../../../command.ts'
import { EXIT_CODES } from '../../../exit-codes.ts'
import { wholeId } from '../../../whole-id.ts'
import type { DELIVERY_ID } from './flags.ts'
import { attemptSummary } from './view.ts'

/** Fails (1) when the receiver did not take it. */
export const run: Run<typeof DELIVERY_ID, NoFlags> = async ({ args, session }) => {
  const { out } = session
  const { client } = await session.target('server')
  const delivery = await client.control.deliveries.retry(await wholeId(client.control.deliveries.list, args.id))
  await answer(out, delivery, (tried) => out.line(attemptSummary(tried, out.paint)))
  return delivery.status === 'delivered' ? EXIT_CODES.done : EXIT_CODES.failed
}
