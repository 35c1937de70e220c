import type { NoArguments, Run } from '../../command.ts'
import { defaultShop } from '../../config/default-shop.ts'
import { printResult } from '../../output/print-result.ts'
import type { CREATE_FLAGS } from './flags.ts'

export const run: Run<NoArguments, typeof CREATE_FLAGS> = async ({ flags, session }) => {
  const { client } = await session.target()
  const shop = flags.shop ?? (await defaultShop(client))
  const key = await client.control.keys.create(shop, { mode: flags.mode ?? 'test' })
  return await printResult(session.out, key, ({ api_key }) => session.out.line(api_key))
}
