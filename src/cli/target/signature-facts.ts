// Facts of the sandbox that may explain an invalid signature: its secrets, and the body that it sent.
import type { Client } from '../../client/client.ts'
import type { KnownSecret } from '../../webhooks/explain-signature.ts'
import { knownSecrets, type SecretEndpoint, type SecretShop } from '../../webhooks/known-secrets.ts'
import type { Session } from '../session.ts'

export interface SignatureFacts {
  readonly secrets: readonly KnownSecret[]
  /** Webhook endpoints, each with the secret that signs its webhooks. */
  readonly endpoints: readonly EndpointSecret[]
  readonly storedBody: Buffer | undefined
}

export interface EndpointSecret {
  readonly url: string
  /** True if the endpoint belongs to a listener, such as `psp listen`, so no request is sent to its URL. */
  readonly isListener: boolean
  readonly secret: string
}

const NO_FACTS: SignatureFacts = { secrets: [], endpoints: [], storedBody: undefined }

/** Returns empty facts if there is no sandbox that is open or served, or if it does not return its secrets. */
export async function readSignatureFacts(session: Session, eventId: string | undefined): Promise<SignatureFacts> {
  try {
    const { client } = await session.target('none')
    const { tables } = (await client.control.store.export(['shops', 'endpoints'])) as { tables: SecretTables }
    return {
      secrets: knownSecrets(tables.shops, tables.endpoints),
      endpoints: endpointsOf(tables),
      storedBody: await storedBody(client, eventId).catch(() => undefined),
    }
  } catch {
    return NO_FACTS
  }
}

/** Returns the event id in a body whose signature was not verified. */
export function eventIdOf(body: Buffer): string | undefined {
  return /"id"\s*:\s*"(evt_[a-z0-9]+)"/.exec(body.toString('latin1'))?.[1]
}

interface SecretTables {
  readonly shops?: readonly SecretShop[]
  readonly endpoints?: readonly (SecretEndpoint & {
    readonly shop_id: string
    readonly active: boolean
    readonly listener?: true
  })[]
}

/** Returns the active endpoints. An endpoint without a secret uses the webhook secret of its shop. */
function endpointsOf({ shops = [], endpoints = [] }: SecretTables): EndpointSecret[] {
  return endpoints
    .filter(({ active }) => active)
    .flatMap(({ url, shop_id, listener, secret = shops.find(({ id }) => id === shop_id)?.webhook_secret }) =>
      secret === undefined ? [] : [{ url, secret, isListener: listener === true }],
    )
}

/**
 * Returns the body of an attempt that neither the fault `tamper` nor an edited replay changed. Without such an attempt,
 * serializes the event again.
 */
async function storedBody(client: Client, eventId: string | undefined): Promise<Buffer | undefined> {
  if (eventId === undefined) return undefined
  const { items } = await client.control.deliveries.list({ event_id: eventId })
  const unedited = items.filter(({ edited }) => edited !== true)
  const sent = unedited.flatMap(({ attempts }) => attempts).find(({ fault }) => fault?.includes('tamper') !== true)
  const text = sent?.request.body
  if (typeof text === 'string') return Buffer.from(text)
  const { id, event, created_at, data } = await client.control.events.get(eventId)
  return Buffer.from(JSON.stringify({ id, event, created_at, data }))
}
