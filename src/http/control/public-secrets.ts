// The development secrets are public. Anyone could use them to sign requests and webhooks of a server that other machines can
// reach, so no request may use them there. A stored development key is rejected when it is used.

import { hasWellKnownSecret, type ShopSecrets } from '../../domain/default-shop.ts'
import { refuse } from '../../domain/errors.ts'
import type { ControlAccess } from '../services.ts'

/**
 * @param shops the shops that the request would create
 * @throws RefusalError not_allowed
 */
export function requirePrivateSecrets(access: ControlAccess, shops: Iterable<ShopSecrets>, remedy: string): void {
  if (access.loopback) return
  for (const shop of shops) {
    if (!hasWellKnownSecret(shop)) continue
    throw refuse(
      'not_allowed',
      `This would use the public development credentials, but other machines can reach this server. Nothing was changed. ${remedy}`,
    )
  }
}
