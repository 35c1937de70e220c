// Why a receiver may have refused, in one line: what is wrong with the webhook itself, else what usually is with receivers.
import type { ListenerDelivery } from '../../../client/listener-wire.ts'
import { adviceOnStatus } from '../../../domain/receiver-advice.ts'
import type { Session } from '../../session.ts'
import { sandboxKnowledge } from '../signatures/knowledge.ts'
import type { Answer } from './forwarder.ts'

export interface Refused {
  readonly delivery: ListenerDelivery
  readonly answer: Pick<Answer, 'status' | 'errorCode'>
  /** The listener's own; its deliveries fit it unless a fault of the simulator changed them. */
  readonly secret: string | undefined
  readonly session: Session
}

/** `undefined` where there is nothing to say. */
export async function hintFor({ delivery, answer, secret, session }: Refused): Promise<string | undefined> {
  const { status, errorCode } = answer
  if (status === undefined) return errorCode === undefined ? undefined : BY_CODE[errorCode]
  if (!SIGNATURE_STATUSES.includes(status)) return status >= 500 ? undefined : adviceOnStatus(status)
  const wrong = secret === undefined ? undefined : await whatIsWrong(delivery, secret, session)
  if (wrong !== undefined) return `It is right to refuse this one. ${wrong}`
  return `${adviceOnStatus(status)} ${nextStep(delivery)}`
}

/** Commands that find the cause, ready to be pasted. */
function nextStep({ delivery_id, url }: ListenerDelivery): string {
  return `What was sent is right. With your secret and the body your application saw, \`psp verify --delivery ${delivery_id} --secret whs_… body.json --explain\` finds the cause; so does \`psp audit ${url}\`. \`psp listen --print-secret\` shows the secret.`
}

/** A receiver that refuses a signature answers with one of these. */
const SIGNATURE_STATUSES = [400, 401, 403]

async function whatIsWrong(
  { headers, body_b64, event_id, delivery_id }: ListenerDelivery,
  secret: string,
  session: Session,
): Promise<string | undefined> {
  const { explainSignature } = await import('../../../webhooks/explain.ts')
  const header = headers.find(([name]) => name.toLowerCase() === 'x-psp-signature')?.[1]
  const seen = { rawBody: Buffer.from(body_b64, 'base64'), header, secrets: [secret], now: session.host.wall.now() }
  if (explainSignature(seen).valid) return undefined
  const { secrets, storedBody } = await sandboxKnowledge(session, event_id)
  const found = explainSignature({ ...seen, known: secrets, storedBody })
  return `${await faultOf(delivery_id, session)}${found.message}`
}

/** The fault the sandbox notes for the attempt, where it does. */
async function faultOf(deliveryId: string, session: Session): Promise<string> {
  const { client } = await session.target()
  const delivery = await client.control.deliveries.get(deliveryId).catch(() => undefined)
  const fault = delivery?.attempts.at(-1)?.fault
  return typeof fault === 'string' ? `The fault ${fault} changed it. ` : ''
}

const CERTIFICATE = 'Its certificate is not trusted here: forward to http://, or set NODE_EXTRA_CA_CERTS.'

const BY_CODE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Is your server running?',
  ENOTFOUND: 'The host name is unknown: check the address after --forward.',
  ETIMEDOUT: 'Answer first and work afterwards, or give it longer with --timeout.',
  ECONNRESET: 'Your server cut the connection: look at its log.',
  UND_ERR_SOCKET: 'Your server cut the connection: look at its log.',
  DEPTH_ZERO_SELF_SIGNED_CERT: CERTIFICATE,
  SELF_SIGNED_CERT_IN_CHAIN: CERTIFICATE,
  EPROTO: 'It does not speak TLS: forward to http://.',
  ERR_SSL_WRONG_VERSION_NUMBER: 'It does not speak TLS: forward to http://.',
}
