// A server that other machines can reach does not start with public credentials. The error says how it does start.
import { START_SHOP } from '../../domain/start-shop.ts'
import { ExposedCredentials } from '../../sandbox.ts'
import { type CliError, usage } from '../failure.ts'
import type { Session } from '../session.ts'
import { openFailure } from './open-failure.ts'

/** @throws CliError if `listensOn` refuses. @param fresh the data folder is new, or everything is in memory */
export function refuseExposed(session: Session, fresh: boolean, listensOn: () => void): void {
  try {
    listensOn()
  } catch (error) {
    throw error instanceof ExposedCredentials ? exposed(session, fresh) : openFailure(error)
  }
}

function exposed({ values, config }: Session, fresh: boolean): CliError {
  const { host, data } = values
  const known = (['api_key', 'signing_secret', 'webhook_secret'] as const).filter(
    (key) => values[key] === START_SHOP[key],
  )
  const given = known.map((key) => config.origins[key]).join(', ')
  const message = `Other machines can reach a server on ${host}, and its credentials are the public ones for development.`
  if (!fresh) {
    const also = given === '' ? '' : `; leave out ${given}, which would give it a public one again`
    const line = `psp serve --host ${host} --generate-credentials --data ${data.replace(/[\\/]+$/, '')}-shared`
    return usage(message, `The data folder ${data} was made with them. Make another one with \`${line}\`${also}.`)
  }
  if (given !== '') return usage(message, `Leave out ${given}, and add --generate-credentials for random ones.`)
  return usage(
    message,
    'Add --generate-credentials for random ones, or all of --api-key, --signing-secret and --webhook-secret.',
  )
}
