import { answer } from '../../../answer.ts'
import type { NoFlags, Run } from '../../../command.ts'
import { wholeId } from '../../../whole-id.ts'
import type { DELIVERY_ID } from './flags.ts'
import { printDelivery } from './view.ts'

export const run: Run<typeof DELIVERY_ID, NoFlags> = async ({ args, session }) => {
  const { client } = await session.target()
  const delivery = await client.control.deliveries.get(await wholeId(client.control.deliveries.list, args.id))
  return await answer(session.out, delivery, (found) => printDelivery(session.out, found))
}
