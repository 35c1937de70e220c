// Chooses the secret that signs the webhooks of an audit, and finds other secrets that the handler may use by mistake.
import { existsSync } from 'node:fs'
import start from '../../../../fixtures/start-shop.json' with { type: 'json' }
import { isLoopback } from '../../../domain/loopback.ts'
import type { KnownSecret } from '../../../webhooks/diagnosis-input.ts'
import { dataFolder } from '../../input/files.ts'
import { findDirectoryServer } from '../../local/find-directory-server.ts'
import { webhookSecret } from '../../parsing/parse.ts'
import type { Session } from '../../session.ts'
import { readSignatureFacts } from '../../target/signature-facts.ts'

export interface AuditSecrets {
  readonly secret: string
  readonly known: readonly KnownSecret[]
  /** Secrets of the sandbox's endpoints at the audited URL. The handler may accept them. */
  readonly endpointSecrets: readonly string[]
  /** Describes the secret: `the secret of --secret`. */
  readonly description: string
}

/**
 * Chooses the first of these secrets that exists: the flag, `PSP_WEBHOOK_SECRET`, the sandbox's endpoint at this URL, a
 * shop, the development secret. If the variable has the secret of a shop, as under `psp exec`, the endpoint wins.
 */
export async function auditSecrets(given: string | undefined, url: string, session: Session): Promise<AuditSecrets> {
  const { values } = session
  // Without a server, an existing data directory is opened, but none is created.
  const hasSandbox = existsSync(dataFolder(session)) || findDirectoryServer(session) !== undefined
  if (values.url === undefined && hasSandbox) await session.target('folder').catch(() => undefined)
  const { secrets, endpoints } = await readSignatureFacts(session, undefined)
  const known = [...secrets, shopSigningSecret(values.signing_secret)]
  const endpointsHere = endpoints.filter((one) => isSameAddress(one.url, url))
  const endpointSecrets = endpointsHere.map(({ secret }) => secret)
  const chosen = (secret: string, description: string): AuditSecrets => ({
    secret,
    known,
    endpointSecrets,
    description,
  })
  if (given !== undefined) return chosen(given, 'the secret of --secret')
  const variable = values.webhook_secret === undefined ? undefined : webhookSecret(values.webhook_secret)
  const isOfShop = known.some(({ secret, label }) => secret === variable && label.startsWith('shop '))
  const endpoint = endpointsHere.find(({ isListener }) => !isListener) ?? endpointsHere[0]
  if (variable !== undefined && (endpoint === undefined || !isOfShop))
    return chosen(variable, 'the secret of PSP_WEBHOOK_SECRET')
  if (endpoint !== undefined)
    return chosen(
      endpoint.secret,
      endpoint.isListener
        ? 'the secret of `psp listen`, which forwards to this URL'
        : 'the secret of the endpoint at this URL',
    )
  const first = known.find(({ kind }) => kind === 'webhook')
  if (first !== undefined) return chosen(first.secret, `the webhook secret of ${first.label}`)
  return chosen(start.webhook_secret, 'the development webhook secret of a new sandbox')
}

/** Returns whether two URLs are the same. `localhost`, `127.0.0.1` and `[::1]` count as the same host. */
function isSameAddress(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => {
    const { protocol, hostname, port, pathname, search } = new URL(text)
    return [protocol, isLoopback(hostname) ? 'loopback' : hostname, port, pathname, search].join(' ')
  })
  return a === b
}

function shopSigningSecret(secret = start.signing_secret): KnownSecret {
  return { secret, kind: 'signing', label: 'the shop, thm_…' }
}
