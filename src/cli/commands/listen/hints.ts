// Explains in one line why a receiver may have rejected a webhook: its own fault first, then the usual causes.
import type { ListenerDelivery } from '../../../client/listener-types.ts'
import { fixForStatus } from '../../../domain/remediation.ts'
import { causeAndFix } from '../../../domain/request-errors.ts'
import type { Session } from '../../session.ts'
import { sandboxKnowledge } from '../../target/sandbox-secrets.ts'
import type { Forwarded } from './forwarder.ts'

export interface Refused {
  readonly delivery: ListenerDelivery
  readonly answer: Pick<Forwarded, 'status' | 'error' | 'late'>
  /** The secret of the listener. A signature matches it, unless a fault of the simulator changed the delivery. */
  readonly secret: string | undefined
  readonly session: Session
}

/** Returns `undefined` if there is no hint. */
export async function hintFor({ delivery, answer, secret, session }: Refused): Promise<string | undefined> {
  const { status } = answer
  if (status === undefined || !SIGNATURE_STATUSES.includes(status)) {
    if (answer.error !== undefined) return adviceOnFailure(answer.error, answer.late)
    return status === undefined || status >= 500 ? undefined : fixForStatus(status)
  }
  const wrong = secret === undefined ? undefined : await whatIsWrong(delivery, secret, session)
  if (wrong !== undefined) return `The receiver is right to reject this webhook. ${wrong}`
  return `${fixForStatus(status)} ${nextStep(delivery)}`
}

function adviceOnFailure(error: string, late = false): string | undefined {
  const { advice } = causeAndFix(error)
  const parts = [advice, late ? '`--timeout` extends the deadline.' : ''].filter((part) => part !== '')
  return parts.length === 0 ? undefined : parts.join(' ')
}

/** Returns commands that find the cause, ready to paste. */
function nextStep({ delivery_id, url }: ListenerDelivery): string {
  return `The webhook is valid. With your secret and the body that your application received, \`psp verify --delivery ${delivery_id} --secret whs_… body.json --explain\` finds the cause, and so does \`psp audit ${url}\`. \`psp listen --print-secret\` shows the secret.`
}

/** Statuses with which receivers reject a signature. */
const SIGNATURE_STATUSES = [400, 401, 403]

async function whatIsWrong(
  { headers, body_b64, event_id, delivery_id }: ListenerDelivery,
  secret: string,
  session: Session,
): Promise<string | undefined> {
  const { explainSignature } = await import('../../../webhooks/explain-signature.ts')
  const header = headers.find(([name]) => name.toLowerCase() === 'x-psp-signature')?.[1]
  const seen = {
    rawBody: Buffer.from(body_b64, 'base64'),
    header,
    secrets: [secret],
    now: session.host.systemClock.now(),
  }
  if (explainSignature(seen).valid) return undefined
  const { secrets, storedBody } = await sandboxKnowledge(session, event_id)
  const found = explainSignature({ ...seen, known: secrets, storedBody })
  return `${await faultOf(delivery_id, session)}${found.message}`
}

/** Returns a sentence about the fault that the sandbox recorded for the attempt, if there is one. */
async function faultOf(deliveryId: string, session: Session): Promise<string> {
  const { client } = await session.target()
  const delivery = await client.control.deliveries.get(deliveryId).catch(() => undefined)
  const fault = delivery?.attempts.at(-1)?.fault
  return typeof fault === 'string' ? `The fault ${fault} changed it. ` : ''
}
