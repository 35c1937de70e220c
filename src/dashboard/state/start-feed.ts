// Reads the lists and follows the stream for as long as the page is open.
import { pause } from '../../domain/promises.ts'
import { openStream, runFeed } from '../../view-model/feed/feed.ts'
import { browserClock } from './browser-clock.ts'
import { isRejectedToken } from './rejected-token.ts'
import type { Store } from './store.ts'
import { shareStream, type TabChannel } from './tab-stream.ts'

/** If the feed ends with an error, such as an unreachable server at its start, it starts again after this many ms. */
const RETRY = 2000

function openChannel(name: string): TabChannel {
  const channel = new BroadcastChannel(name)
  return {
    post: (message) => channel.postMessage(message),
    listen: (listener) => channel.addEventListener('message', ({ data }) => listener(data)),
    close: () => channel.close(),
  }
}

/** @param onRejected called if the server rejects the token */
export async function startFeed(store: Store, signal: AbortSignal, onRejected: () => void): Promise<void> {
  const { client, base } = store.state().session
  while (!signal.aborted) {
    try {
      await runFeed({
        client,
        systemClock: browserClock,
        signal,
        dispatch: store.dispatch,
        history: false,
        open: shareStream({
          open: openStream(client, browserClock),
          locks: (navigator as { locks?: LockManager }).locks,
          channel: openChannel,
          name: `psp ${base}`,
        }),
      })
      return
    } catch (error) {
      if (signal.aborted) return
      if (isRejectedToken(error)) return onRejected()
      const reason = error instanceof Error ? error.message : String(error)
      store.dispatch({ type: 'connection', connection: { state: 'lost', reason }, now: browserClock.now() })
      await pause(RETRY, browserClock)
    }
  }
}
