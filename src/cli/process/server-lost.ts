// A command that listens while its server goes away says so.
import type { StreamState } from '../../client/follow.ts'
import type { Session } from '../session.ts'

/** Tells that the stream was lost, once for each loss; of the way back nothing. With `--json` stderr holds errors alone. */
export function toldOnce({ out }: Session): (state: StreamState) => void {
  let told = false
  return (state) => {
    if (state.state === 'lost' && !told && !out.json) out.warn(`Connection lost (${state.reason}). Trying again.`)
    told = state.state === 'lost'
  }
}
