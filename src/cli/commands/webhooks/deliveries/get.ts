import type { Run } from '../../../command.ts'
import { printResult } from '../../../output/print-result.ts'
import { resolveId } from '../../../parsing/resolve-id.ts'
import type { DELIVERY_ID, GET_FLAGS } from './flags.ts'
import { printDelivery } from './view.ts'

export const run: Run<typeof DELIVERY_ID, typeof GET_FLAGS> = async ({ args, flags, session }) => {
  const { client } = await session.target()
  const delivery = await client.control.deliveries.get(await resolveId(client.control.deliveries.list, args.id))
  return await printResult(session.out, delivery, (found) => printDelivery(session.out, found, flags.last))
}
