// Which secret signs the audit, and which others the handler may have taken for it.
import { existsSync } from 'node:fs'
import start from '../../../../fixtures/start-shop.json' with { type: 'json' }
import type { KnownSecret } from '../../../webhooks/explain-case.ts'
import { dataFolder } from '../../named-path.ts'
import { webhookSecret } from '../../parse.ts'
import type { Session } from '../../session.ts'
import { sandboxKnowledge } from '../signatures/knowledge.ts'

export interface AuditSecrets {
  readonly secret: string
  readonly known: readonly KnownSecret[]
  /** Whose it is, in words. */
  readonly of: string
}

/** The flag, else `PSP_WEBHOOK_SECRET`, else that of the sandbox's first shop, else the well-known one. */
export async function auditSecrets(given: string | undefined, session: Session): Promise<AuditSecrets> {
  const { values } = session
  // Without a server its data folder is looked into; where there is none, none is made.
  const folder = dataFolder(session)
  if (values.url === undefined && existsSync(folder)) await session.target('folder').catch(() => undefined)
  const known = [...(await sandboxKnowledge(session, undefined)).secrets, ...ownSigning(values.signing_secret)]
  if (given !== undefined) return { secret: given, known, of: 'the secret of --secret' }
  if (values.webhook_secret !== undefined)
    return { secret: webhookSecret(values.webhook_secret), known, of: 'the secret of PSP_WEBHOOK_SECRET' }
  const first = known.find(({ kind }) => kind === 'webhook')
  if (first !== undefined) return { secret: first.secret, known, of: `the webhook secret of ${first.label}` }
  return { secret: start.webhook_secret, known, of: 'the well-known webhook secret of a new sandbox' }
}

function ownSigning(secret = start.signing_secret): KnownSecret[] {
  return [{ secret, kind: 'signing', label: 'the shop, thm_…' }]
}
