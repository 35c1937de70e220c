// Finds out why a handler rejects valid webhooks, by sending webhooks that only a handler with a known mistake accepts.

import { isAccepted } from '../domain/http-response.ts'
import { FIXES } from '../domain/remediation.ts'
import { hmacHex } from '../domain/signatures.ts'
import { BODY_TRANSFORMS } from '../webhooks/body-transforms.ts'
import type { ExplainedFinding, KnownSecret } from '../webhooks/diagnosis-input.ts'
import type { Message, MessageValues } from './check.ts'
import { buildMessage } from './message.ts'
import type { Send } from './ports.ts'
import { type Body, eventBody, paidPayment } from './sample.ts'

/**
 * Returns `undefined` if no known mistake explains the rejection.
 *
 * @param endpointSecrets secrets that the service uses to sign for this URL. A handler that accepts one of them is
 * correct, and the finding says that the audit used a different secret.
 */
export async function findCause(
  send: Send,
  values: MessageValues,
  known: readonly KnownSecret[],
  endpointSecrets: readonly string[] = [],
): Promise<ExplainedFinding | undefined> {
  for (const { cause, message: text, attempt } of mistakes(values, known, endpointSecrets)) {
    if (isAccepted(await send(attempt))) return { cause, message: text }
  }
  return undefined
}

interface Mistake extends ExplainedFinding {
  readonly attempt: Message
}

function* mistakes(
  values: MessageValues,
  known: readonly KnownSecret[],
  endpointSecrets: readonly string[],
): Generator<Mistake> {
  const { secret } = values
  const t = String(Math.floor(values.now / 1000))
  const fresh = () => eventBody(values, 'payment.succeeded', paidPayment(values))
  const signed = (body: Body, signature: string) => buildMessage(values, body, { signature: () => signature })

  for (const other of new Set(endpointSecrets)) {
    if (other === secret) continue
    yield { cause: 'wrong_secret', message: ENDPOINT_SECRET, attempt: buildMessage(values, fresh(), { secret: other }) }
  }
  for (const { secret: other, kind, label } of known) {
    if (other === secret || endpointSecrets.includes(other)) continue
    const observation = `The handler accepts webhooks that are signed with the secret of ${label}.`
    yield { ...SECRETS[kind](observation), attempt: buildMessage(values, fresh(), { secret: other }) }
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
  const inMilliseconds = fresh()
  const ms = `${t}000`
  yield {
    cause: 'milliseconds',
    message: `The handler reads t= as milliseconds. ${FIXES.seconds}`,
    attempt: signed(
      inMilliseconds,
      `t=${ms},v1=${hmacHex(secret, inMilliseconds.text)},v2=${hmacHex(secret, `${ms}.`, inMilliseconds.text)}`,
    ),
  }
  for (const tried of BODY_TRANSFORMS) {
    const body = fresh()
    // The bytes that a handler with this mistake hashes.
    for (const verified of tried.variants(Buffer.from(body.text))) {
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
  'The handler correctly verifies with the secret of the endpoint at this URL, but the audit used a different secret. Pass the secret of the endpoint to the audit, or omit --secret and PSP_WEBHOOK_SECRET.'

const SECRETS: { readonly [K in KnownSecret['kind']]: (observation: string) => ExplainedFinding } = {
  signing: (observation) => ({ cause: 'wrong_secret_kind', message: `${observation} ${FIXES.secret_kind}` }),
  former_signing: (observation) => ({ cause: 'wrong_secret_kind', message: `${observation} ${FIXES.secret_kind}` }),
  former_webhook: (observation) => ({
    cause: 'rotated_secret',
    message: `${observation} That secret was rotated. Configure the new one.`,
  }),
  webhook: (observation) => ({ cause: 'wrong_secret', message: `${observation} ${FIXES.secret}` }),
}
