import { useEffect, useState } from 'preact/hooks'
import type { ControlMessage } from '../../view-model/rows/stream-message.ts'
import { browserClock } from './browser-clock.ts'
import { useStore } from './store.ts'

/** Changes are collected for this many ms. Then the data is loaded again. */
const RELOAD_INTERVAL = 200

interface LoadedOptions {
  /** The data is loaded again if this value changes. */
  readonly version?: unknown
  /** The ms after which the data is loaded again in any case, while the page is visible. */
  readonly interval?: number
}

/**
 * Loads the data of a component, and loads it again after a reset, after an action of the user, and after messages of
 * the stream that change it. The result contains no data until the first load is complete. An error is shown as a
 * toast.
 * @param isChanged whether a message changes the data
 */
export function useLoaded<T>(
  load: () => Promise<T>,
  isChanged: (message: ControlMessage) => boolean = () => false,
  { version, interval }: LoadedOptions = {},
): readonly [data: T | undefined, reload: () => Promise<void>] {
  const store = useStore()
  const { session, loaded } = store.app
  const [data, setData] = useState<T>()
  useEffect(() => {
    let isCurrent = true
    let timer: { cancel(): void } | undefined
    let poll: { cancel(): void } | undefined
    const read = () => {
      timer = undefined
      load().then(
        (next) => isCurrent && setData(next),
        (error: unknown) => isCurrent && store.fail(error),
      )
    }
    function schedulePoll(): void {
      if (interval === undefined) return
      poll = browserClock.setTimeout(() => {
        if (document.visibilityState === 'visible') read()
        schedulePoll()
      }, interval)
    }
    read()
    schedulePoll()
    const stop = store.onMessages((batch) => {
      if (batch === undefined) read()
      else if (batch.some(({ message }) => message.kind === 'reset' || isChanged(message)))
        timer ??= browserClock.setTimeout(read, RELOAD_INTERVAL)
    })
    return () => {
      isCurrent = false
      timer?.cancel()
      poll?.cancel()
      stop()
    }
  }, [session, loaded, version, interval])
  return [data, async () => setData(await load())]
}
