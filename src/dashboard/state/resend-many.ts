// Sends many webhooks again, shows the progress, and stops on request.
import { isSuccess } from '../../domain/http-response.ts'
import { runEach } from '../../view-model/feed/run-each.ts'
import type { Translate } from '../text/translate.ts'
import { browserClock } from './browser-clock.ts'
import type { Store } from './store.ts'

/** The progress is updated at most once in this many ms, because each update renders the page. */
const UPDATE_INTERVAL = 100

/** @param ids the deliveries, in the order in which they are sent */
export async function resendMany(ids: readonly string[], store: Store, t: Translate): Promise<void> {
  const { deliveries } = store.state().session.client.control
  const stopped = new AbortController()
  let timer: { cancel(): void } | undefined
  let failed = 0
  const { succeeded, finished, total, refusals, failure } = await runEach(ids, {
    async perform(id) {
      const { attempts } = await deliveries.retry(id)
      if (!isSuccess(attempts.at(-1)?.status)) failed++
    },
    signal: stopped.signal,
    onProgress(tally) {
      timer ??= browserClock.setTimeout(() => {
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
