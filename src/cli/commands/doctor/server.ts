// Checks the server of this configuration and its version.
import { ApiError, NoResponseError } from '../../../client/errors.ts'
import type { Session } from '../../session.ts'
import { VERSION } from '../../version.ts'
import { type Found, fail, ok, warn } from './checks-contract.ts'
import { healthOf, isForeign } from './health.ts'
import { serverUrl } from './server-url.ts'

const NO_SERVER = 'no server runs here'

export function checkVersions(): Found {
  const { node } = process.versions
  return ok(`psp ${VERSION}, Node ${node}, ${process.platform} ${process.arch}`)
}

export async function checkServer(session: Session): Promise<Found> {
  const url = serverUrl(session)
  try {
    const health = await healthOf(session, url)
    if (isForeign(session, health)) return ok(NO_SERVER)
    const { version, status, reason, event_streams } = health
    if (status === 'failing') {
      return fail(
        `${version === undefined ? 'psp' : `psp ${version}`} answers at ${url}, and refuses every change: ${reason ?? 'its data directory takes none'}`,
        'Mend what it names; until then it can be read: `psp store export FILE` saves what it has.',
      )
    }
    if (version === undefined) {
      return ok(`psp answers at ${url}; its version needs --control-token, if its control API is on`)
    }
    if (version !== VERSION) {
      return warn(
        `psp ${version} answers at ${url}, and this is psp ${VERSION}`,
        'Start the server again with this one, or call the psp of the project that it runs from.',
      )
    }
    const dropped = event_streams?.dropped ?? 0
    if (dropped > 0) {
      return warn(
        `psp ${version} answers at ${url}; ${dropped} messages of the event stream were dropped, their readers were too slow`,
        'Read the stream without waiting for other work, or let more wait: `psp settings set stream_queue=N`.',
      )
    }
    return ok(`psp ${version} answers at ${url}`)
  } catch (error) {
    if (error instanceof NoResponseError) {
      return fail(
        `${url} takes connections, and does not answer`,
        'Its process may be suspended or too busy: end it, and start it again.',
      )
    }
    if (error instanceof ApiError && error.status === 401) {
      return warn(
        `psp answers at ${url} and refuses the control token`,
        'Correct --control-token or PSP_CONTROL_TOKEN.',
      )
    }
    if (session.values.url === undefined) return ok(NO_SERVER)
    return fail(`${url} does not answer: ${(error as Error).message}`, 'Start it, or correct --url and PSP_URL.')
  }
}
