// The development secrets are public. No request may restore them on a server that other machines can reach.

import { hasDevelopmentCredentials, type ShopSecrets } from '../../domain/default-shop.ts'
import { type RefusalError, refuse } from '../../domain/errors.ts'
import { anyDevelopmentCredentials, type ReadRows } from '../../engine/development-secrets.ts'
import type { ControlAccess } from '../services.ts'

/**
 * @param shops the shops that the request would create
 * @throws RefusalError not_allowed
 */
export function requirePrivateSecrets(access: ControlAccess, shops: Iterable<ShopSecrets>, remedy: string): void {
  if (access.loopback) return
  for (const shop of shops) if (hasDevelopmentCredentials(shop)) throw developmentSecretsError(remedy)
}

/**
 * Rejects a state with secrets in use or active keys that are development credentials. Former secrets are accepted.
 * @param rows reads the state that would replace the current one
 * @throws RefusalError not_allowed
 */
export function requireNoActiveDevelopmentCredentials(access: ControlAccess, rows: ReadRows, remedy: string): void {
  if (access.loopback) return
  if (anyDevelopmentCredentials(rows)) throw developmentSecretsError(remedy)
}

function developmentSecretsError(remedy: string): RefusalError {
  return refuse(
    'not_allowed',
    `This would use the public development credentials, but other machines can reach this server. Nothing was changed. ${remedy}`,
  )
}
