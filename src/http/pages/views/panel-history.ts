// The history on the panel: what happened to the payment, and which webhook attempts are planned.
import { html } from 'hono/html'
import { failureInRussian } from '../../../domain/russian-receiver-failures.ts'
import { THREE_DS_STEPS, threeDsText } from '../../../domain/three-ds.ts'
import type { Activity } from '../activity.ts'
import type { AttemptView, HistoryEntry } from '../payment-history.ts'
import type { Html, PageView } from './page-view.ts'
import { inlineCode, truncate } from './text.ts'

type Tone = 'good' | 'bad' | 'wait' | 'plain'

export function history(view: PageView): Html {
  const { text } = view.localizer
  return html`<section class="history" aria-labelledby="history-title"><h2 id="history-title">${text('history')}</h2>
<ol>${view.history.map((entry) => {
    const { tone, line, detail } = describe(entry, view)
    return html`<li class="tone-${tone}" data-entry="${entry.kind}"><time datetime="${new Date(entry.at).toISOString()}">${offset(entry.at - view.payment.created_at, view)}</time>
<span class="entry"><span>${inlineCode(line)}</span>${detail !== undefined && html`<span class="entry-detail">${detail}</span>`}</span></li>`
  })}</ol></section>`
}

interface Description {
  readonly tone: Tone
  readonly line: string
  readonly detail?: string | undefined
}

function describe(entry: HistoryEntry, view: PageView): Description {
  const { text, language } = view.localizer
  switch (entry.kind) {
    case 'created':
    case 'opened':
      return { tone: 'plain', line: text(`entry_${entry.kind}`) }
    case 'status':
      return describeStatus(entry, view)
    case 'command':
      return { tone: 'plain', line: text('entry_command', { did: commandText(entry, view) }) }
    case 'three_ds':
      return {
        tone: 'plain',
        line: `3-D Secure: ${language === 'ru' ? THREE_DS_STEPS[entry.step] : threeDsText(entry.step)}`,
      }
    case 'returned':
      return { tone: 'good', line: text('entry_returned', { host: entry.host }) }
    case 'dropped':
      return { tone: 'bad', line: text('entry_dropped') }
    case 'unsent':
      return { tone: 'plain', line: text('entry_unsent', { event: entry.event }) }
    case 'attempt':
    case 'next':
      return describeAttempt(entry, view)
  }
}

function describeStatus({ status }: Activity & { kind: 'status' }, { localizer, payment }: PageView): Description {
  const detail = status === payment.status ? payment.metadata['failure_code'] : undefined
  const tone =
    status === 'succeeded' ? 'good' : status === 'failed' ? 'bad' : status === 'processing' ? 'wait' : 'plain'
  const line = localizer.text(`entry_${status}`, { method: localizer.method(payment.method) })
  return { tone, line, detail }
}

function describeAttempt(
  { kind, attempt }: { readonly kind: 'attempt' | 'next'; readonly attempt: AttemptView },
  { localizer: { text, language } }: PageView,
): Description {
  const { event, receiver, number, replay, isAccepted, ms, fault, isSending } = attempt
  const mark = replay && text('entry_replay')
  const result = language === 'ru' ? failureInRussian(attempt.result ?? '') : (attempt.result ?? '')
  const name = number === 1 ? event : text('entry_attempt', { event, number })
  if (kind === 'next') {
    const detail = [receiver, mark].filter(Boolean).join(' · ')
    return { tone: 'wait', line: text(isSending ? 'entry_sending' : 'entry_next', { event: name }), detail }
  }
  const what = /^\d+$/.test(result) ? `${result}, ${ms}\u00a0${text('milliseconds')}` : truncate(result, 120)
  const detail = [what, receiver, mark, fault].filter(Boolean).join(' · ')
  return { tone: isAccepted ? 'good' : 'bad', line: text('entry_webhook', { event: name }), detail }
}

/** Describes what a command of the panel did: `the bank declines with insufficient_funds`. */
export function commandText({ command, value = '' }: Activity & { kind: 'command' }, view: PageView): string {
  const { text } = view.localizer
  if (command === 'order') return text(`order_${value}` as 'order_normal')
  return text(`did_${command}`, { value })
}

/** Formats the time since the creation of the payment: `+1.2 s`, `+20 min 5 s`. */
function offset(ms: number, { localizer }: PageView): string {
  if (ms < 60_000) return `+${(ms / 1000).toFixed(1)}\u00a0${localizer.text('seconds')}`
  const unit = ms < 3_600_000 ? 1000 : 60_000
  return `+${localizer.duration(Math.floor(ms / unit) * unit)}`
}
