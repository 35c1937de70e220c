import { omitUndefined } from '../../../domain/omit-undefined.ts'
import { sanitizeLine } from '../../../terminal/sanitize.ts'
import type { Run } from '../../command.ts'
import { EXIT_CODES, usageError } from '../../failure.ts'
import { wrapLine } from '../../output/lines.ts'
import type { FlagValues } from '../../parsing/flags.ts'
import type { Session } from '../../session.ts'
import { eventIdOf, readSignatureFacts } from '../../target/signature-facts.ts'
import type { VERIFY_ARGUMENTS, VERIFY_FLAGS } from '../verify.ts'
import { fileSubject, rejectionNote, type Subject, sandboxSubject } from './verify-input.ts'

type Flags = FlagValues<typeof VERIFY_FLAGS>

export const run: Run<typeof VERIFY_ARGUMENTS, typeof VERIFY_FLAGS> = async ({ args, flags, session }) => {
  const { out } = session
  const { explainSignature } = await import('../../../webhooks/explain-signature.ts')
  const subject = await subjectOf(args.body, flags, session)
  const secrets = secretsOf(flags, session)
  const facts = await readSignatureFacts(session, subject.eventId ?? eventIdOf(subject.body))
  if (secrets.length === 0 && facts.secrets.length === 0) {
    throw usageError('--secret is missing.', 'No sandbox returned its secrets, so pass it.')
  }
  const result = explainSignature({
    rawBody: subject.body,
    header: subject.header,
    secrets,
    known: facts.secrets,
    storedBody: facts.storedBody,
    purpose: flags.request ? 'request' : 'webhook',
    now: flags.now === undefined ? (subject.at ?? session.host.systemClock.now()) : flags.now,
    ...omitUndefined({ tolerance: flags.tolerance }),
  })
  const cause = result.valid ? null : result.cause
  const note = result.valid ? rejectionNote(subject, args.body !== undefined) : undefined
  if (out.json) out.document({ valid: result.valid, cause, message: result.message, ...(note && { note }) })
  else {
    const verdict = result.valid ? out.paint.good('valid') : out.paint.bad('not valid')
    const why = `${flags.explain && cause !== null ? `${cause}: ` : ''}${sanitizeLine(result.message)}`
    out.line(wrapLine(`${verdict}  ${why}`, out.columns, ''))
    if (note !== undefined) out.line(wrapLine(note, out.columns, ''))
  }
  return result.valid ? EXIT_CODES.done : EXIT_CODES.not_verified
}

async function subjectOf(path: string | undefined, flags: Flags, session: Session): Promise<Subject> {
  if (flags.delivery !== undefined) {
    const sent = (await fileSubject(flags.delivery, session)) ?? (await sandboxSubject(flags.delivery, session))
    // The body that the application received, with the headers of the delivery.
    return path === undefined ? sent : { ...sent, body: await bodyOf(path, session) }
  }
  if (path === undefined) throw usageError('There is no body to verify.', 'Give its file, - for stdin, or --delivery.')
  if (flags.signature === undefined) {
    throw usageError('--signature is missing.', 'Pass the value of the X-PSP-Signature header, in quotes.')
  }
  return { body: await bodyOf(path, session), header: flags.signature }
}

async function bodyOf(path: string, session: Session): Promise<Buffer> {
  const { readInput } = await import('../../input/read-input.ts')
  return await readInput(path, session)
}

function secretsOf(flags: Flags, { values }: Session): readonly string[] {
  if (flags.secret.length > 0) return flags.secret
  const configured = flags.request ? values.signing_secret : values.webhook_secret
  return configured === undefined ? [] : [configured]
}
