import { signRequest } from '../../../domain/request-signature.ts'
import { signWebhook } from '../../../domain/webhook-signature.ts'
import type { Run } from '../../command.ts'
import { usage } from '../../failure.ts'
import { readInput } from '../../read-input.ts'
import type { SIGN_ARGUMENTS, SIGN_FLAGS } from './flags.ts'

export const run: Run<typeof SIGN_ARGUMENTS, typeof SIGN_FLAGS> = async ({ args, flags, session }) => {
  const { out, values, host } = session
  const secret = flags.secret ?? (flags.request ? values.signing_secret : values.webhook_secret)
  if (secret === undefined) {
    throw usage(
      '--secret is missing.',
      flags.request ? 'Pass the shop secret thm_….' : 'Pass the endpoint secret whs_….',
    )
  }
  const body = await readInput(args.body, host)
  const timestamp = flags.timestamp ?? Math.floor(host.wall.now() / 1000)
  const version = flags.v1 ? 'v1' : 'v2'
  const signature = flags.request
    ? signRequest(body, secret)
    : signWebhook({ body, secret, timestamp, version, v1: 'body' })
  if (out.json) out.document({ signature })
  else out.line(signature)
  return 0
}
