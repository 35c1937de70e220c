// Checks the server of this configuration and its version.
import { ApiError, NoResponseError } from '../../../client/errors.ts'
import type { Session } from '../../session.ts'
import { VERSION } from '../../version.ts'
import { type Found, fail, ok, warn } from './checks-contract.ts'
import { healthOf, isForeign } from './health.ts'
import { serverUrl } from './server-url.ts'

const NO_SERVER = 'no server is running here'

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
        `${version === undefined ? 'psp' : `psp ${version}`} runs at ${url}, but rejects every change: ${reason ?? 'its data directory is read-only'}`,
        'Fix the reported cause. Until then reads work, and `psp store export FILE` saves its state.',
      )
    }
    if (version === undefined) {
      return ok(`psp runs at ${url}; if its control API is on, its version needs --control-token`)
    }
    if (version !== VERSION) {
      return warn(
        `psp ${version} runs at ${url}, but this is psp ${VERSION}`,
        'Restart the server with this version, or use the psp of the project that started it.',
      )
    }
    const dropped = event_streams?.dropped ?? 0
    if (dropped > 0) {
      return warn(
        `psp ${version} runs at ${url}; ${dropped} messages of the event stream were dropped because their readers were too slow`,
        'Read the stream without waiting for other work, or raise the limit: `psp settings set stream_queue=N`.',
      )
    }
    return ok(`psp ${version} runs at ${url}`)
  } catch (error) {
    if (error instanceof NoResponseError) {
      return fail(
        `${url} accepts connections but does not respond`,
        'Its process may be suspended or too busy. Stop it and start it again.',
      )
    }
    if (error instanceof ApiError && error.status === 401) {
      return warn(`psp runs at ${url} but rejects the control token`, 'Correct --control-token or PSP_CONTROL_TOKEN.')
    }
    if (session.values.url === undefined) return ok(NO_SERVER)
    return fail(`${url} does not respond: ${(error as Error).message}`, 'Start it, or correct --url and PSP_URL.')
  }
}
