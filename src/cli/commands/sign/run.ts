import { signatureHeader, signRequest } from '../../../domain/signatures.ts'
import type { Run } from '../../command.ts'
import { usageError } from '../../failure.ts'
import { readInput } from '../../input/read-input.ts'
import type { Session } from '../../session.ts'
import { readSignatureFacts } from '../../target/signature-facts.ts'
import type { SIGN_ARGUMENTS, SIGN_FLAGS } from '../sign.ts'

export const run: Run<typeof SIGN_ARGUMENTS, typeof SIGN_FLAGS> = async ({ args, flags, session }) => {
  const { out, values, host } = session
  const configured = flags.secret ?? (flags.request ? values.signing_secret : values.webhook_secret)
  const secret = configured ?? (await secretOfSandbox(flags.request, session))
  const body = await readInput(args.body, session)
  const timestamp = flags.timestamp ?? Math.floor(host.systemClock.now() / 1000)
  const version = flags.v1 ? 'v1' : 'v2'
  const signature = flags.request
    ? signRequest(body, secret)
    : signatureHeader({ body, secret, timestamp, version, v1Form: 'body' })
  if (out.json) out.document({ signature })
  else out.line(signature)
  return 0
}

/** Prints a note that names the secret, because endpoints may have different secrets. */
async function secretOfSandbox(forRequest: boolean, session: Session): Promise<string> {
  const { secrets } = await readSignatureFacts(session, undefined)
  const found = secrets.find(({ kind }) => kind === (forRequest ? 'signing' : 'webhook'))
  if (found === undefined) {
    throw usageError(
      '--secret is missing, and no running sandbox returned its secrets.',
      forRequest ? 'Pass the shop secret thm_….' : 'Pass the endpoint secret whs_….',
    )
  }
  const { out } = session
  out.note(out.notePaint.dim(`Signed with the ${forRequest ? 'signing' : 'webhook'} secret of ${found.label}.`))
  return found.secret
}
