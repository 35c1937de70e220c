import { answer } from '../../answer.ts'
import type { NoFlags, Run } from '../../command.ts'
import { whileWorking } from '../../progress.ts'
import type { NAME } from './flags.ts'

export const run: Run<typeof NAME, NoFlags> = async ({ args, session }) => {
  const { client } = await session.target()
  const reply = await whileWorking(session, `restoring ${args.name}`, () => client.control.store.restore(args.name))
  return await answer(session.out, reply, () => session.out.line(`back at ${args.name}`))
}
