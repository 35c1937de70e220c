import { answer } from '../../answer.ts'
import type { NoFlags, Run } from '../../command.ts'
import type { NAME } from './flags.ts'

export const run: Run<typeof NAME, NoFlags> = async ({ args, session }) => {
  const { client } = await session.target()
  await client.control.store.removeSnapshot(args.name)
  return await answer(session.out, { name: args.name, deleted: true }, ({ name }) =>
    session.out.line(`snapshot ${name} forgotten`),
  )
}
