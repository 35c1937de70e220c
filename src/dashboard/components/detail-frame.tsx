// The frame around the detail of a row: title, summary, buttons and blocks.

import type { ComponentChildren } from 'preact'
import type { DetailView } from '../../view-model/detail/blocks.ts'
import { usePerform } from '../state/perform.ts'
import { useStore } from '../state/store.ts'
import { useText } from '../text/translate.ts'
import { TextWithTone } from './badge.tsx'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

interface DetailFrameProps {
  readonly view: Pick<DetailView, 'title' | 'note' | 'problem' | 'summary'>
  /** Shown below the title if the title is not the id. */
  readonly id?: string | undefined
  readonly buttons?: ComponentChildren
  readonly children: ComponentChildren
}

export function DetailFrame({ view, id, buttons, children }: DetailFrameProps) {
  const t = useText()
  const perform = usePerform()
  return (
    <article class="detail" aria-label={view.title}>
      <header class="detail-head">
        <BackButton />
        <h2 class={id === undefined ? 'mono' : ''}>
          <bdi>{view.title}</bdi>
        </h2>
        {id !== undefined && (
          <Button look="plain small mono" title={t('copy_id')} onClick={() => void perform({ do: 'copy', text: id })}>
            {id}
          </Button>
        )}
        {view.note !== '' && <span class="quiet">{view.note}</span>}
        <p class="facts">
          {view.summary.map((part) => (
            <TextWithTone key={part.text} part={part.isStatus ? part : { ...part, text: t.label(part.text) }} />
          ))}
        </p>
        {buttons !== undefined && (
          <div class="buttons" role="group" aria-label={t('more')}>
            {buttons}
          </div>
        )}
        {view.problem !== undefined && (
          <p class="problem" role="alert">
            {view.problem}
          </p>
        )}
      </header>
      {children}
    </article>
  )
}

function BackButton() {
  const t = useText()
  const store = useStore()
  return (
    <Button look="plain back" onClick={() => store.go({ id: '' })} aria-label={t('back')}>
      <Icon name="close" />
    </Button>
  )
}

/** Shown while an object is being loaded, if it could not be loaded, and for an id that does not exist. */
export function NoDetail({ loading, problem }: { readonly loading: boolean; readonly problem?: string | undefined }) {
  const t = useText()
  return (
    <article class="detail">
      <header class="detail-head">
        <BackButton />
        <p class="quiet" role="status">
          {loading ? t('loading') : (problem ?? t('gone'))}
        </p>
      </header>
    </article>
  )
}
