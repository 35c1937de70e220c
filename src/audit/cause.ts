// Why a handler refuses what is right: each usual mistake is tried the other way round. A handler that takes a signature
// made in the mistaken way makes that mistake.
import { hmacHex } from '../domain/hmac.ts'
import { FIXES } from '../domain/remediation.ts'
import { BODY_TRANSFORMS } from '../webhooks/body-transforms.ts'
import type { ExplainedCause, KnownSecret } from '../webhooks/diagnosis-input.ts'
import type { Ground, Message } from './check.ts'
import { isTaken } from './judge.ts'
import { message } from './message.ts'
import type { Send } from './ports.ts'
import { type Body, eventBody, paidPayment } from './sample.ts'

export interface Cause {
  readonly cause: ExplainedCause
  /** What the handler does, and how to fix it. */
  readonly message: string
}

/**
 * `undefined` where no usual mistake explains it.
 *
 * @param endpoint secrets the service itself signs with at this url: a handler that takes one is right
 */
export async function findCause(
  send: Send,
  ground: Ground,
  known: readonly KnownSecret[],
  endpoint: readonly string[] = [],
): Promise<Cause | undefined> {
  for (const { cause, message: text, attempt } of mistakes(ground, known, endpoint)) {
    if (isTaken(await send(attempt))) return { cause, message: text }
  }
  return undefined
}

interface Mistake extends Cause {
  readonly attempt: Message
}

function* mistakes(ground: Ground, known: readonly KnownSecret[], endpoint: readonly string[]): Generator<Mistake> {
  const { secret } = ground
  const t = String(Math.floor(ground.now / 1000))
  const fresh = () => eventBody(ground, 'payment.succeeded', paidPayment(ground))
  const signed = (body: Body, signature: string) => message(ground, body, { signature: () => signature })

  for (const other of new Set(endpoint)) {
    if (other === secret) continue
    yield { cause: 'wrong_secret', message: OF_THE_ENDPOINT, attempt: message(ground, fresh(), { secret: other }) }
  }
  for (const { secret: other, kind, label } of known) {
    if (other === secret || endpoint.includes(other)) continue
    const of = `It takes what is signed with the secret of ${label}.`
    yield { ...SECRETS[kind](of), attempt: message(ground, fresh(), { secret: other }) }
  }
  const plain = fresh()
  const v1 = hmacHex(secret, plain.text)
  yield {
    cause: 'missing_timestamp_prefix',
    message: `It computes v2= over the body alone. ${FIXES.timestamp_prefix}`,
    attempt: signed(plain, `t=${t},v1=${v1},v2=${v1}`),
  }
  const legacy = fresh()
  yield {
    cause: 'v1_for_v2',
    message: `It knows the legacy header sha256=… only. ${FIXES.v2}`,
    attempt: signed(legacy, `sha256=${hmacHex(secret, legacy.text)}`),
  }
  const late = fresh()
  const ms = `${t}000`
  yield {
    cause: 'milliseconds',
    message: `It takes t= for milliseconds. ${FIXES.seconds}`,
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

const OF_THE_ENDPOINT =
  'It verifies with the secret of the endpoint at this very url, as it should: the audit was told another. Give it that secret, or leave --secret and PSP_WEBHOOK_SECRET out.'

const SECRETS: { readonly [K in KnownSecret['kind']]: (of: string) => Cause } = {
  signing: (of) => ({ cause: 'wrong_secret_kind', message: `${of} ${FIXES.secret_kind}` }),
  former_signing: (of) => ({ cause: 'wrong_secret_kind', message: `${of} ${FIXES.secret_kind}` }),
  former: (of) => ({ cause: 'rotated_secret', message: `${of} It was rotated since: set the new one.` }),
  webhook: (of) => ({ cause: 'wrong_secret', message: `${of} ${FIXES.secret}` }),
}
