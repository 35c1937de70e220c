// Finds out why a handler rejects valid webhooks. It sends webhooks that only a handler with a known mistake accepts.

import { FIXES } from '../domain/remediation.ts'
import { hmacHex } from '../domain/signatures.ts'
import { BODY_TRANSFORMS } from '../webhooks/body-transforms.ts'
import type { ExplainedCause, KnownSecret } from '../webhooks/diagnosis-input.ts'
import type { Message, MessageValues } from './check.ts'
import { isAccepted } from './judge.ts'
import { buildMessage } from './message.ts'
import type { Send } from './ports.ts'
import { type Body, eventBody, paidPayment } from './sample.ts'

export interface Cause {
  readonly cause: ExplainedCause
  /** Says what the handler does, and how to fix it. */
  readonly message: string
}

/**
 * Returns `undefined` if no known mistake explains the rejection.
 *
 * @param endpoint secrets that the service uses to sign for this URL; a handler that accepts one of them is correct
 */
export async function findCause(
  send: Send,
  ground: MessageValues,
  known: readonly KnownSecret[],
  endpoint: readonly string[] = [],
): Promise<Cause | undefined> {
  for (const { cause, message: text, attempt } of mistakes(ground, known, endpoint)) {
    if (isAccepted(await send(attempt))) return { cause, message: text }
  }
  return undefined
}

interface Mistake extends Cause {
  readonly attempt: Message
}

function* mistakes(
  ground: MessageValues,
  known: readonly KnownSecret[],
  endpoint: readonly string[],
): Generator<Mistake> {
  const { secret } = ground
  const t = String(Math.floor(ground.now / 1000))
  const fresh = () => eventBody(ground, 'payment.succeeded', paidPayment(ground))
  const signed = (body: Body, signature: string) => buildMessage(ground, body, { signature: () => signature })

  for (const other of new Set(endpoint)) {
    if (other === secret) continue
    yield { cause: 'wrong_secret', message: ENDPOINT_SECRET, attempt: buildMessage(ground, fresh(), { secret: other }) }
  }
  for (const { secret: other, kind, label } of known) {
    if (other === secret || endpoint.includes(other)) continue
    const of = `The handler accepts webhooks that are signed with the secret of ${label}.`
    yield { ...SECRETS[kind](of), attempt: buildMessage(ground, fresh(), { secret: other }) }
  }
  const plain = fresh()
  const v1 = hmacHex(secret, plain.text)
  yield {
    cause: 'missing_timestamp_prefix',
    message: `The handler computes v2= over the body alone. ${FIXES.timestamp_prefix}`,
    attempt: signed(plain, `t=${t},v1=${v1},v2=${v1}`),
  }
  const legacy = fresh()
  yield {
    cause: 'v1_for_v2',
    message: `The handler supports only the legacy header sha256=…. ${FIXES.v2}`,
    attempt: signed(legacy, `sha256=${hmacHex(secret, legacy.text)}`),
  }
  const late = fresh()
  const ms = `${t}000`
  yield {
    cause: 'milliseconds',
    message: `The handler reads t= as milliseconds. ${FIXES.seconds}`,
    attempt: signed(late, `t=${ms},v1=${hmacHex(secret, late.text)},v2=${hmacHex(secret, `${ms}.`, late.text)}`),
  }
  for (const tried of BODY_TRANSFORMS) {
    const body = fresh()
    for (const verified of tried.undo(Buffer.from(body.text))) {
      const v2 = hmacHex(secret, `${t}.`, verified)
      yield {
        cause: tried.cause,
        message: tried.message,
        attempt: signed(body, `t=${t},v1=${hmacHex(secret, verified)},v2=${v2}`),
      }
    }
  }
}

const ENDPOINT_SECRET =
  'The handler correctly verifies with the secret of the endpoint at this URL, but the audit used another secret. Pass that secret to the audit, or omit --secret and PSP_WEBHOOK_SECRET.'

const SECRETS: { readonly [K in KnownSecret['kind']]: (of: string) => Cause } = {
  signing: (of) => ({ cause: 'wrong_secret_kind', message: `${of} ${FIXES.secret_kind}` }),
  former_signing: (of) => ({ cause: 'wrong_secret_kind', message: `${of} ${FIXES.secret_kind}` }),
  former: (of) => ({ cause: 'rotated_secret', message: `${of} That secret was rotated. Configure the new one.` }),
  webhook: (of) => ({ cause: 'wrong_secret', message: `${of} ${FIXES.secret}` }),
}
