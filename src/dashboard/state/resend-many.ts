// Sends many webhooks again, shows the progress, and stops on request.
import type { DeliveryView } from '../../client/control-types.ts'
import { isSuccess } from '../../domain/http-response.ts'
import type { Timers } from '../../domain/time.ts'
import { runEach } from '../../view-model/feed/run-each.ts'
import type { MessageKey } from '../text/messages.ts'

/** The progress is updated at most once in this many ms, because each update renders the page. */
const UPDATE_INTERVAL = 100

/** The parts of the store that show the progress and the result. */
interface ResendStore {
  setProgress(progress: { finished: number; total: number; stop(): void } | undefined): void
  toast(outcome: { readonly text: string; readonly hasFailed: boolean }): void
  fail(error: unknown, text: string): void
}

interface ResendPorts {
  /** Sends a delivery again. */
  readonly retry: (id: string) => Promise<Pick<DeliveryView, 'attempts'>>
  readonly store: ResendStore
  readonly t: (key: MessageKey, values?: object) => string
  readonly timers: Timers
}

/** @param ids the deliveries, in the order in which they are sent */
export async function resendMany(ids: readonly string[], { retry, store, t, timers }: ResendPorts): Promise<void> {
  const stopped = new AbortController()
  let timer: { cancel(): void } | undefined
  let failed = 0
  const { succeeded, finished, total, refusals, failure } = await runEach(ids, {
    async perform(id) {
      const { attempts } = await retry(id)
      if (!isSuccess(attempts.at(-1)?.status)) failed++
    },
    signal: stopped.signal,
    onProgress(tally) {
      timer ??= timers.setTimeout(() => {
        timer = undefined
        store.setProgress({ finished: tally.finished, total: tally.total, stop: () => stopped.abort() })
      }, UPDATE_INTERVAL)
    },
    nextTurn: async () => {},
  })
  timer?.cancel()
  store.setProgress(undefined)
  const text = [
    finished < total && t('stopped'),
    t(failed === 0 ? 'done_resent' : 'done_resent_failed', { count: succeeded, failed }),
    ...[...refusals].map(([reason, count]) => `${count}: ${reason}`),
  ]
    .filter(Boolean)
    .join(' ')
  if (failure === undefined) store.toast({ text, hasFailed: failed > 0 || refusals.size > 0 })
  else store.fail(failure.error, text)
}
