import type { Run } from '../../command.ts'
import { usage } from '../../failure.ts'
import { printResult } from '../../output/print-result.ts'
import type { CHANGE_FLAGS, SHOP_ID } from './flags.ts'
import { shopBody } from './shop-body.ts'
import { printShop } from './view.ts'

export const run: Run<typeof SHOP_ID, typeof CHANGE_FLAGS> = async ({ args, flags, session }) => {
  const body = shopBody(flags)
  if (Object.values(body).every((value) => value === undefined)) {
    throw usage('Nothing to change.', '`psp shops update --help` lists the options.')
  }
  const { client } = await session.target()
  const shop = await client.control.shops.update(args.id, body)
  return await printResult(session.out, shop, (changed) => printShop(session.out, changed))
}
