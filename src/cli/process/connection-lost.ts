// Reports that a long-running command has lost its server.
import type { StreamState } from '../../client/follow.ts'
import type { Session } from '../session.ts'

/** Warns once for each lost connection, and not when it is restored. With `--json`, stderr holds only errors. */
export function warnConnectionLost({ out }: Session): (state: StreamState) => void {
  let warned = false
  return (state) => {
    if (state.state === 'lost' && !warned && !out.json) out.warn(`Connection lost (${state.reason}). Trying again.`)
    warned = state.state === 'lost'
  }
}
