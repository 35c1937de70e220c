import type { NoFlags, Run } from '../../command.ts'
import { answer } from '../../output/answer.ts'
import { oneOf } from '../../parsing/parse.ts'
import type { ROTATE_ARGUMENTS } from './flags.ts'

export const run: Run<typeof ROTATE_ARGUMENTS, NoFlags> = async ({ args, session }) => {
  const which = oneOf(args.secret, ['signing', 'webhook'])
  const { client } = await session.target()
  const { shops } = client.control
  const reply = await (which === 'signing' ? shops.rotateSigningSecret(args.id) : shops.rotateWebhookSecret(args.id))
  return await answer(session.out, reply, (secrets) => session.out.line(Object.values(secrets)[0]))
}
