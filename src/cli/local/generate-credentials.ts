// Random credentials for a new data directory.
import { formatKey, keyPrefix } from '../../domain/api-key.ts'
import type { Credentials } from '../../domain/default-shop.ts'
import { systemRandomness } from '../../time/random.ts'
import type { ConfigValues } from '../config/config-keys.ts'

/** Generates the credentials that are not given. */
export function generateCredentials(
  given: Pick<ConfigValues, 'api_key' | 'signing_secret' | 'webhook_secret' | 'shard'>,
): Credentials {
  const { token } = systemRandomness()
  return {
    api_key: given.api_key ?? formatKey('test', keyPrefix(token, given.shard), token(32)),
    signing_secret: given.signing_secret ?? `thm_${token(32)}`,
    webhook_secret: given.webhook_secret ?? `whs_${token(32)}`,
  }
}
