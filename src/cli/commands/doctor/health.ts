import { createClient } from '../../../client/client.ts'
import type { HealthView } from '../../../client/control-types.ts'
import { NoResponseError } from '../../../client/errors.ts'
import type { FetchLike } from '../../../client/fetch-like.ts'
import { createNodeFetch } from '../../../client/node-fetch.ts'
import { dataFolder } from '../../input/resolve-path.ts'
import { findLockedDir } from '../../local/find-locked-dir.ts'
import type { Session } from '../../session.ts'

/** Whether the server at the default address has another data directory. */
export function isForeign(session: Session, { data }: Pick<HealthView, 'data'>): boolean {
  const { url, ready_file, ephemeral } = session.values
  if (url !== undefined || ready_file !== undefined || data === undefined) return false
  return ephemeral ? data !== null : data !== (findLockedDir(session)?.above ?? dataFolder(session))
}

/** Timeout of the response, in ms. */
const PATIENCE = 3000

/** Reads the health of a server. `date` is the clock of its machine in ms, if reported. @throws the errors of the client */
export async function healthOf(
  { values, host }: Session,
  url: string,
): Promise<HealthView & { readonly date?: number }> {
  const { fetch, close } = createNodeFetch()
  const controller = new AbortController()
  const timer = host.systemClock.setTimeout(() => controller.abort(new NoResponseError()), PATIENCE)
  let date: string | null = null
  const watched: FetchLike = async (to, init) => {
    const reply = await fetch(to, init)
    date = reply.headers.get('date')
    return reply
  }
  try {
    const client = createClient({ fetch: watched, baseUrl: url, controlToken: values.control_token })
    const health = await client.control.health(controller.signal)
    const ms = Date.parse(date ?? '')
    return Number.isNaN(ms) ? health : { ...health, date: ms }
  } finally {
    timer.cancel()
    close()
  }
}
