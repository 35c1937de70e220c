import type { NoFlags, Run } from '../../../command.ts'
import { answer } from '../../../output/answer.ts'
import type { ENDPOINT_ID } from './flags.ts'

export const run: Run<typeof ENDPOINT_ID, NoFlags> = async ({ args, session }) => {
  const { client } = await session.target()
  await client.control.endpoints.remove(args.id)
  return await answer(session.out, { id: args.id, deleted: true }, ({ id }) =>
    session.out.line(`endpoint ${id} deleted`),
  )
}
