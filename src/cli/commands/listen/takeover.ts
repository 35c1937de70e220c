// Two `psp listen` for one address would take the stream from each other for ever: the older one gives way.
import type { Client } from '../../../client/client.ts'
import type { StreamState } from '../../../client/follow.ts'
import { CliError } from '../../failure.ts'

export class TakenOver extends CliError {
  constructor() {
    super(
      'busy',
      'Another psp listen forwards to the same address now.',
      'End one of them, or forward to another address.',
      'taken_over',
    )
  }
}

/** A server that ends the stream in an orderly way, and is still there, gave it to somebody else. */
export function watchTakeover(client: Client) {
  let orderly = false
  return {
    state(state: StreamState): void {
      orderly = state.state === 'lost' && state.reason === 'the server closed the stream'
    },
    async check(): Promise<void> {
      if (!orderly) return
      orderly = false
      const alive = await client.control.health().then(
        () => true,
        () => false,
      )
      if (alive) throw new TakenOver()
    },
  }
}
