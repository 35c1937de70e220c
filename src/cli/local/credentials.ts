// Credentials of a new data directory, and of a server that other machines can reach.
import { formatKey, keyPrefix } from '../../domain/api-key.ts'
import { DEFAULT_SHOP, type ShopCredentials } from '../../domain/default-shop.ts'
import { isLoopback } from '../../domain/loopback.ts'
import { systemRandomness } from '../../random.ts'
import { ExposedCredentialsError } from '../../sandbox.ts'
import type { ConfigValues } from '../config/config-keys.ts'
import { type CliError, usageError } from '../failure.ts'
import type { Session } from '../session.ts'
import { openFailure } from './open-sandbox.ts'

/** Generates the credentials that are not given. */
export function generateCredentials(
  given: Pick<ConfigValues, 'api_key' | 'signing_secret' | 'webhook_secret' | 'shard'>,
): ShopCredentials {
  const { token } = systemRandomness()
  return {
    api_key: given.api_key ?? formatKey('test', keyPrefix(token, given.shard), token(32)),
    signing_secret: given.signing_secret ?? `thm_${token(32)}`,
    webhook_secret: given.webhook_secret ?? `whs_${token(32)}`,
  }
}

/**
 * Adds a generated control token to the session if `--generate-credentials` is given and other machines can reach the
 * host. On such a host, the control API and the dashboard are off without a token. A given token is kept.
 */
export function withControlToken(session: Session): Session {
  const { values } = session
  const isNeeded = values.generate_credentials && values.control_token === undefined && !isLoopback(values.host)
  return isNeeded ? { ...session, values: { ...values, control_token: systemRandomness().token(32) } } : session
}

/**
 * Calls `check`, and converts its error to a CliError. An unknown error is thrown unchanged.
 * @param isNew the data directory is new, or everything is in memory
 * @param check throws if the credentials or tokens are too weak for the host
 */
export function checkAccess(session: Session, isNew: boolean, check: () => void): void {
  try {
    check()
  } catch (error) {
    throw error instanceof ExposedCredentialsError ? exposed(session, isNew) : openFailure(error)
  }
}

function exposed({ values, config }: Session, isNew: boolean): CliError {
  const { host, data } = values
  const known = (['api_key', 'signing_secret', 'webhook_secret'] as const).filter(
    (key) => values[key] === DEFAULT_SHOP[key],
  )
  const given = known.map((key) => config.origins[key]).join(', ')
  const message = `Other machines can reach a server on ${host}, and this server has the public development credentials.`
  if (!isNew) {
    const also = given === '' ? '' : `, without ${given}, which would give it public credentials again`
    const line = `psp serve --host ${host} --generate-credentials --data ${data.replace(/[\\/]+$/, '')}-shared`
    return usageError(
      message,
      `The data directory ${data} was created with them. Create another one with \`${line}\`${also}.`,
    )
  }
  if (given !== '') return usageError(message, `Omit ${given}, and add --generate-credentials for random credentials.`)
  return usageError(
    message,
    'Add --generate-credentials for random credentials, or all of --api-key, --signing-secret and --webhook-secret.',
  )
}
