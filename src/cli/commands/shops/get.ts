import type { NoFlags, Run } from '../../command.ts'
import { printResult } from '../../output/print-result.ts'
import type { SHOP_ID } from './flags.ts'
import { printShop } from './view.ts'

export const run: Run<typeof SHOP_ID, NoFlags> = async ({ args, session }) => {
  const { client } = await session.target()
  return await printResult(session.out, await client.control.shops.get(args.id), (shop) => printShop(session.out, shop))
}
