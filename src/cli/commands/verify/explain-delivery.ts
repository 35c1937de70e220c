import type { Explanation } from '../../../webhooks/explain-signature.ts'
import type { Session } from '../../session.ts'
import { sandboxKnowledge } from '../../target/sandbox-secrets.ts'
import { sandboxSubject } from './verify-input.ts'

/** Verifies the signature of the last attempt with the secrets of the sandbox, at the time of sending. */
export async function explainDelivery(deliveryId: string, session: Session): Promise<Explanation> {
  const { explainSignature } = await import('../../../webhooks/explain-signature.ts')
  const { body, header, at, eventId } = await sandboxSubject(deliveryId, session)
  const { secrets, storedBody } = await sandboxKnowledge(session, eventId)
  const now = at ?? session.host.systemClock.now()
  return explainSignature({ rawBody: body, header, secrets: [], known: secrets, storedBody, now })
}
