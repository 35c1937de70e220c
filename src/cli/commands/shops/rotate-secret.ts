import type { NoFlags, Run } from '../../command.ts'
import { printResult } from '../../output/print-result.ts'
import { requireOrder } from '../../parsing/argument-order.ts'
import { oneOf } from '../../parsing/parse.ts'
import type { ROTATE_ARGUMENTS } from './flags.ts'

const SECRETS = ['signing', 'webhook'] as const

export const run: Run<typeof ROTATE_ARGUMENTS, NoFlags> = async ({ args, session }) => {
  requireOrder('psp shops rotate-secret', [args.id, args.secret], (text) => SECRETS.some((name) => name === text))
  const which = oneOf(args.secret, SECRETS)
  const { client } = await session.target()
  const { shops } = client.control
  const reply = await (which === 'signing' ? shops.rotateSigningSecret(args.id) : shops.rotateWebhookSecret(args.id))
  return await printResult(session.out, reply, (secrets) => session.out.line(Object.values(secrets)[0]))
}
