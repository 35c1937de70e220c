// The toast after webhooks were sent: the responses of the receivers, or why a webhook was not delivered.
import { formatAttemptResult, whyNotDelivered } from '../../view-model/rows/attempt-result.ts'
import { formatDateTime } from '../../view-model/time-format.ts'
import type { MessageKey } from '../text/messages.ts'

/** The part of `Translate` that is used. It does not depend on the types of a browser. */
interface Texts {
  (key: MessageKey, values: object): string
  result(english: string): string
}

interface SentDelivery {
  readonly url: string
  readonly next_attempt_at?: string | null
  readonly attempts: readonly { readonly status?: number | null; readonly error?: string | null }[]
}

/** @returns the content of the toast. `hasFailed` is true if a webhook was not delivered. */
export function sentText(
  sent: readonly SentDelivery[],
  t: Texts,
): { readonly text: string; readonly hasFailed: boolean } {
  let hasFailed = false
  const texts = sent.map(({ url, attempts, next_attempt_at: next }) => {
    const last = attempts.at(-1)
    const why = whyNotDelivered(last)
    const to = next ? `${url} (${t('next_attempt', { at: formatDateTime(next) })})` : url
    if (why === undefined) return t('done_sent', { result: formatAttemptResult(last), url: to })
    hasFailed = true
    return t('not_delivered', { why: t.result(why), url: to })
  })
  return { text: texts.join('; '), hasFailed }
}
