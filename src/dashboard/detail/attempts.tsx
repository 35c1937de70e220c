// The attempts of a delivery: request, response and diagnosis of each, and the comparison of two.
import { useEffect, useState } from 'preact/hooks'
import type { DiagnosisView } from '../../client/history-types.ts'
import { formatElapsed } from '../../domain/time-text.ts'
import type { AttemptBlock, BodyContent, MessageContent } from '../../view-model/detail/blocks.ts'
import { compareBlocks } from '../../view-model/detail/compare-attempts.ts'
import { formatJson } from '../../view-model/detail/json-text.ts'
import { formatDateTime } from '../../view-model/time-format.ts'
import { toneClass } from '../components/badge.tsx'
import { CodeText } from '../components/empty.tsx'
import { useStore } from '../state/store.ts'
import { errorText } from '../text/error-text.ts'
import { useText } from '../text/translate.ts'
import { LinesBlock } from './lines-block.tsx'

export function Attempts({ attempts }: { readonly attempts: readonly AttemptBlock[] }) {
  return (
    <>
      {attempts.map((attempt) => (
        <Attempt key={attempt.number} attempt={attempt} />
      ))}
      {attempts.length > 1 && <Comparison attempts={attempts} />}
    </>
  )
}

/** The maximum number of characters of a response that the line of an attempt shows. */
const PREVIEW_LENGTH = 200

export const attemptId = (deliveryId: string, number: number) => `${deliveryId}-${number}`

/** Opens an attempt that the page contains, and moves the focus to it. */
export function openAttempt(deliveryId: string, number: number): void {
  const found = document.getElementById(attemptId(deliveryId, number)) as HTMLDetailsElement | null
  if (found === null) return
  found.open = true
  found.scrollIntoView({ block: 'nearest' })
  found.querySelector('summary')?.focus()
}

function Attempt({ attempt }: { readonly attempt: AttemptBlock }) {
  const t = useText()
  const [isOpen, setOpen] = useState(false)
  const { newAttempt } = useStore().app
  const isNew = newAttempt?.deliveryId === attempt.deliveryId && newAttempt.number === attempt.number
  useEffect(() => {
    if (isNew) openAttempt(attempt.deliveryId, attempt.number)
  }, [isNew])
  const { number, at, result, tone, ms, isManual, error, fault, request, response } = attempt
  const text = response?.body.text.slice(0, PREVIEW_LENGTH)
  // The receiver's own text replaces the error, because the diagnosis explains the error.
  const preview = error !== undefined && text ? `"${text}"` : error && t.result(error)
  return (
    <details
      id={attemptId(attempt.deliveryId, number)}
      class="attempt"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <span class="quiet">{number}.</span> <strong class={toneClass(tone)}>{t.result(result)}</strong>{' '}
        <time class="quiet">{formatDateTime(at)}</time> <span class="quiet">{t.label(formatElapsed(ms))}</span>
        {isManual && <span class="quiet"> {t('manual')}</span>}
        {preview !== undefined && <span class="tone-failure one-line"> {preview}</span>}
        {fault !== undefined && <span class="tone-warning"> {fault}</span>}
      </summary>
      {isOpen && <Diagnosis attempt={attempt} />}
      <div class="exchange">
        <Message title={t('request')} message={request} />
        {response !== undefined && <Message title={t('response')} message={response} />}
      </div>
    </details>
  )
}

/** Shows why the receiver may have rejected the attempt. The server determines the reason. */
function Diagnosis({ attempt: { deliveryId, number } }: { readonly attempt: AttemptBlock }) {
  const t = useText()
  const { deliveries } = useStore().app.session.client.control
  const [found, setFound] = useState<DiagnosisView | Error>()
  useEffect(() => {
    deliveries.diagnosis(deliveryId, number, t.language).then(setFound, setFound)
  }, [deliveryId, number, t])
  return (
    <div class="message" role="status">
      <h4>{t('diagnosis')}</h4>
      {found === undefined ? (
        <p class="quiet">{t('loading')}</p>
      ) : found instanceof Error ? (
        <p class="tone-failure">{errorText(found, t)}</p>
      ) : (
        <>
          <p>
            <span class={`badge tone-${found.signature === 'valid' ? 'success' : 'failure'}`}>
              {t(`signature_${found.signature}`)}
            </span>{' '}
            {found.cause !== null && <code>{found.cause}</code>}
          </p>
          {`${found.message}\n${found.advice ?? ''}`.split('\n').map((line) => (
            <p key={line}>
              <CodeText text={line} />
            </p>
          ))}
        </>
      )}
    </div>
  )
}

/** Compares two attempts: initially the last two. */
function Comparison({ attempts }: { readonly attempts: readonly AttemptBlock[] }) {
  const t = useText()
  const [chosen, setChosen] = useState<Readonly<Record<number, number>>>({})
  const pair = [-2, -1].map((from, at) => attempts.find(({ number }) => number === chosen[at]) ?? attempts.at(from))
  const [before, after] = pair
  if (before === undefined || after === undefined) return null
  return (
    <details class="attempt">
      <summary>{t('compare')}</summary>
      <div class="message">
        <p class="inline-form">
          {pair.map((attempt, at) => (
            <select
              key={`${at}`}
              aria-label={t(at === 0 ? 'compare_before' : 'compare_after')}
              value={attempt?.number}
              onChange={({ currentTarget }) => setChosen({ ...chosen, [at]: Number(currentTarget.value) })}
            >
              {attempts.map(({ number, result }) => (
                <option key={number} value={number}>
                  {number}. {t.result(result)}
                </option>
              ))}
            </select>
          ))}
        </p>
        {compareBlocks(before, after).map(
          (block) => block.kind === 'lines' && <LinesBlock key={block.title} block={block} />,
        )}
      </div>
    </details>
  )
}

function Message({ title, message }: { readonly title: string; readonly message: MessageContent }) {
  const t = useText()
  return (
    <div class="message">
      <h4>{title}</h4>
      {message.headers.length > 0 && (
        <details>
          <summary class="quiet">
            {t('headers')} ({message.headers.length})
          </summary>
          <dl class="headers mono">
            {message.headers.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
      <Body body={message.body} />
      {message.note !== undefined && <p class="quiet">{message.note}</p>}
    </div>
  )
}

/** Shows a body. JSON is indented, and no value of it changes. */
export function Body({ body }: { readonly body: BodyContent }) {
  const t = useText()
  if (body.text === '') return <p class="quiet">{t('no_body')}</p>
  return (
    <pre class="body" tabIndex={0}>
      {body.isBase64 ? body.text : formatJson(body.text)}
    </pre>
  )
}
