// Refuses to start a server that other machines can reach with public credentials. The hint says how to start it.
import { DEFAULT_SHOP } from '../../domain/default-shop.ts'
import { ExposedCredentialsError } from '../../sandbox.ts'
import { type CliError, usage } from '../failure.ts'
import type { Session } from '../session.ts'
import { openFailure } from './open-failure.ts'

/** @throws CliError if `assertHostAllowed` throws. @param isNew the data directory is new, or everything is in memory */
export function refuseExposed(session: Session, isNew: boolean, assertHostAllowed: () => void): void {
  try {
    assertHostAllowed()
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
  const message = `Other machines can reach a server on ${host}, and this one has the public development credentials.`
  if (!isNew) {
    const also = given === '' ? '' : `; leave out ${given}, which would give it a public one again`
    const line = `psp serve --host ${host} --generate-credentials --data ${data.replace(/[\\/]+$/, '')}-shared`
    return usage(
      message,
      `The data directory ${data} was created with them. Create another one with \`${line}\`${also}.`,
    )
  }
  if (given !== '') return usage(message, `Leave out ${given}, and add --generate-credentials for random ones.`)
  return usage(
    message,
    'Add --generate-credentials for random ones, or all of --api-key, --signing-secret and --webhook-secret.',
  )
}
