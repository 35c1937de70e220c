// Reads from a running sandbox what explains an invalid signature: its secrets and the bytes it sent.
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
  /** True if no request can reach it, because `psp listen` receives its webhooks. */
  readonly isListener: boolean
  readonly secret: string
}

const NO_FACTS: SignatureFacts = { secrets: [], endpoints: [], storedBody: undefined }

/** Returns nothing if no sandbox is running, or if it does not return its secrets. */
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

/** Returns the event id in a body, which is not verified. */
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

/** Returns the secret of an endpoint. Without one, its shop's secret signs. */
function endpointsOf({ shops = [], endpoints = [] }: SecretTables): EndpointSecret[] {
  return endpoints
    .filter(({ active }) => active)
    .flatMap(({ url, shop_id, listener, secret = shops.find(({ id }) => id === shop_id)?.webhook_secret }) =>
      secret === undefined ? [] : [{ url, secret, isListener: listener === true }],
    )
}

/** Returns the bytes of the event from an attempt without a fault, or serializes the event again. */
async function storedBody(client: Client, eventId: string | undefined): Promise<Buffer | undefined> {
  if (eventId === undefined) return undefined
  const { items } = await client.control.deliveries.list({ event_id: eventId })
  const unchanged = items.flatMap(({ attempts }) => attempts).find(({ fault }) => fault?.includes('tamper') !== true)
  const text = unchanged?.request.body
  if (typeof text === 'string') return Buffer.from(text)
  const { id, event, created_at, data } = await client.control.events.get(eventId)
  return Buffer.from(JSON.stringify({ id, event, created_at, data }))
}
