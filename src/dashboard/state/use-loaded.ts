import { useEffect, useState } from 'preact/hooks'
import type { ControlMessage } from '../../view-model/rows/stream-message.ts'
import { browserClock } from './browser-clock.ts'
import { useStore } from './store.ts'

/** Changes are collected for this many ms. Then the data is loaded again. */
const RELOAD_INTERVAL = 300

/**
 * Loads the data of a view, and loads it again after messages of the stream that change it.
 * @param isChanged whether a message changes the data
 * @param interval the ms after which the data is loaded again in any case, while the page is visible
 */
export function useLoaded<T>(
  load: () => Promise<T>,
  isChanged: (message: ControlMessage) => boolean,
  interval?: number,
): readonly [T | undefined, () => Promise<void>] {
  const store = useStore()
  const { session, loaded } = store.app
  const [data, setData] = useState<T>()
  const reload = async () => setData(await load())
  useEffect(() => {
    let timer: { cancel(): void } | undefined
    const read = () => {
      timer = undefined
      reload().catch(store.fail)
    }
    read()
    let poll: { cancel(): void } | undefined
    function wait(): void {
      if (interval === undefined) return
      poll = browserClock.setTimeout(() => {
        if (document.visibilityState === 'visible') read()
        wait()
      }, interval)
    }
    wait()
    const stop = store.onMessages((batch) => {
      if (batch?.some(({ message }) => message.kind === 'reset' || isChanged(message)))
        timer ??= browserClock.setTimeout(read, RELOAD_INTERVAL)
    })
    return () => {
      timer?.cancel()
      poll?.cancel()
      stop()
    }
  }, [session, loaded])
  return [data, reload]
}
