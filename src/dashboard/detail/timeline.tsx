import { sandboxNow } from '../../view-model/model.ts'
import { formatDateTime, formatTime } from '../../view-model/time-format.ts'
import { AdvanceButton } from '../components/advance-button.tsx'
import { Mark, toneClass } from '../components/badge.tsx'
import { useStore } from '../state/store.ts'
import type { MessageKey } from '../text/messages.ts'
import { MESSAGES } from '../text/messages.ts'
import { type Translate, useText } from '../text/translate.ts'
import { attemptId, openAttempt } from './attempts.tsx'
import { shownGap, type TimelineEntry, type TimelineParts, timelineEntries } from './timeline-entries.ts'

/** Pauses of at least this many ms are shown as a gap. */
const IDLE_GAP = 60_000

/** Shows the timeline. A pause is one line. A button at each scheduled step advances the clock to the step. */
export function Timeline(parts: TimelineParts) {
  const t = useText()
  const { app } = useStore()
  const entries = timelineEntries(parts)
  const now = sandboxNow(app.model)
  return (
    <section class="block" aria-label={t('timeline')}>
      <h3>
        {t('timeline')} <span class="quiet">{t('timeline_note')}</span>
      </h3>
      {parts.statuses.missing === 'lost' && <p class="quiet">{t('timeline_lost')}</p>}
      <ol class="timeline">
        {entries.map((entry, at) => {
          const before = entries[at - 1]
          const gap = before === undefined ? 0 : shownGap(before, entry)
          return (
            <>
              {gap >= IDLE_GAP && (
                <li class="timeline-gap quiet" aria-hidden="true">
                  {t('gap', { span: t.span(gap) })}
                </li>
              )}
              {before !== undefined && !isSameDay(entry.at, before.at) && (
                <li class="timeline-day quiet">{formatDateTime(entry.at).slice(0, 10)}</li>
              )}
              <li class={`timeline-entry is-${entry.kind} ${toneClass(entry.tone)}`}>
                <time dateTime={new Date(entry.at).toISOString()} title={formatDateTime(entry.at)}>
                  {formatTime(entry.at)}
                </time>
                <div class="timeline-text">
                  <Entry entry={entry} now={now} isReadOnly={app.session.readOnly} />
                </div>
              </li>
            </>
          )
        })}
      </ol>
    </section>
  )
}

function Entry({ entry, now, isReadOnly }: { entry: TimelineEntry; now: number; isReadOnly: boolean }) {
  const t = useText()
  switch (entry.kind) {
    case 'status':
      return (
        <>
          <strong>{t.label(entry.label)}</strong> <span class="quiet">{t.label(entry.details)}</span>
        </>
      )
    case 'event':
      return (
        <>
          <code>{entry.event}</code> {!entry.hasDelivery && <span class="quiet">{t('no_receiver')}</span>}
        </>
      )
    case 'attempt':
      return (
        <>
          <a
            class={toneClass(entry.tone)}
            href={`#${attemptId(entry.deliveryId, entry.number)}`}
            onClick={(event) => {
              event.preventDefault()
              openAttempt(entry.deliveryId, entry.number)
            }}
          >
            {t.result(entry.result)}
          </a>{' '}
          <span class="quiet">
            {t('attempt', { number: entry.number, event: entry.event })}
            {entry.isManual && `, ${t('manual')}`}
            {entry.mark && ','}
          </span>{' '}
          <Mark mark={entry.mark} />
          <bdi class="quiet url">{entry.url}</bdi>
        </>
      )
    case 'scheduled':
      return (
        <>
          <span>{stepText(entry.step, t)}</span>{' '}
          <span class="quiet">{entry.at > now ? t('scheduled', { span: t.span(entry.at - now) }) : t('is_due')}</span>{' '}
          {entry.url !== undefined && <bdi class="quiet url">{entry.url}</bdi>}{' '}
          {!isReadOnly && entry.at > now && (
            <AdvanceButton look="small" body={{ to: entry.due }} text={t('advance_to')} />
          )}
        </>
      )
  }
}

function stepText(step: string, t: Translate): string {
  const key = `step_${step}`
  return Object.hasOwn(MESSAGES, key) ? t(key as MessageKey) : step
}

function isSameDay(a: number, b: number): boolean {
  return formatDateTime(a).slice(0, 10) === formatDateTime(b).slice(0, 10)
}
