// Renders the blocks of the shared view model. `psp ui` paints the same data.

import type { Block, BodyContent, DeliveryBlock, Missing } from '../../view-model/detail/blocks.ts'
import { formatDateTime } from '../../view-model/time-format.ts'
import { Mark, Status, toneClass } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { usePerform } from '../state/perform.ts'
import { useStore } from '../state/store.ts'
import { useText } from '../text/translate.ts'
import { Attempts, Body } from './attempts.tsx'
import { LinesBlock } from './lines-block.tsx'

/** The webhooks are the first block below the timeline, because most users look for them. */
const rank = ({ kind }: Block) => (kind === 'webhooks' ? 0 : 1)

export function Blocks({ blocks }: { readonly blocks: readonly Block[] }) {
  return (
    <>
      {blocks
        .toSorted((a, b) => rank(a) - rank(b))
        .map((block, at) => (
          <BlockView key={`${block.kind} ${at}`} block={block} />
        ))}
    </>
  )
}

/** The fields whose values psp writes in English and the dashboard translates. Text of merchants is unchanged. */
const ENGLISH: ReadonlySet<string> = new Set(['attempts', 'decided by', 'ignored', 'planned'])

function BlockView({ block }: { readonly block: Block }) {
  const t = useText()
  switch (block.kind) {
    // See timeline.tsx, which shows the timeline with events, attempts and the schedule.
    case 'timeline':
      return null
    case 'fields':
      return (
        <section class="block">
          <h3>{t.label(block.title)}</h3>
          <dl class="fields">
            {block.rows.map(({ label, value, tone }) => (
              <div key={label}>
                <dt>{block.title === 'Metadata' ? label : t.label(label)}</dt>
                <dd class={toneClass(tone)}>
                  <bdi>{ENGLISH.has(label) ? t.label(value) : value}</bdi>
                </dd>
              </div>
            ))}
          </dl>
        </section>
      )
    case 'lines':
      return <LinesBlock block={block} />
    case 'webhooks':
      return block.events.length === 0 ? null : (
        <section class="block">
          <h3>{t.label(block.title)}</h3>
          {block.events.map(({ id, event, at, deliveries }) => (
            <div key={id} class="event">
              <p class="event-head">
                <code>{event}</code> <time class="quiet">{formatDateTime(at)}</time>{' '}
                <span class="quiet mono">{id}</span>
              </p>
              {deliveries.length === 0 && <p class="quiet">{t('no_receiver')}</p>}
              {deliveries.map((delivery) => (
                <Delivery key={delivery.id} delivery={delivery} />
              ))}
            </div>
          ))}
        </section>
      )
    case 'attempts':
      return (
        <section class="block">
          <h3>{t.label(block.title)}</h3>
          {block.missing === 'loading' && <p class="quiet">{t('loading')}</p>}
          <Attempts attempts={block.attempts} />
        </section>
      )
    case 'body':
      return (
        <section class="block">
          <h3>{t.label(block.title)}</h3>
          <BodyOrMissing body={block.body} />
        </section>
      )
    case 'json':
      return (
        <section class="block">
          <Body body={{ text: block.text, isBase64: false }} />
        </section>
      )
  }
}

function Delivery({ delivery }: { readonly delivery: DeliveryBlock }) {
  const t = useText()
  const perform = usePerform()
  const { session } = useStore().app
  const { id, url, mark, status, nextAttemptAt, attempts } = delivery
  return (
    <div class="delivery">
      <p class="delivery-head">
        <Status status={status} /> <Mark mark={mark} />
        <bdi class="url">{url}</bdi>
        {nextAttemptAt !== undefined && (
          <span class="quiet"> {t('next_attempt', { at: formatDateTime(nextAttemptAt) })}</span>
        )}
        {!session.readOnly && (
          <Button look="small" onClick={() => void perform({ do: 'retry', delivery_id: id })}>
            {t('resend')}
          </Button>
        )}
      </p>
      <Attempts attempts={attempts} />
    </div>
  )
}

function BodyOrMissing({ body }: { readonly body: BodyContent | Missing }) {
  const t = useText()
  if (body === 'loading') return <p class="quiet">{t('loading')}</p>
  return body === 'lost' ? <p class="quiet">{t('no_body')}</p> : <Body body={body} />
}
