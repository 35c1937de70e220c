import { useStore } from '../state/store.ts'
import { useText } from '../text/translate.ts'
import { CodeText } from './empty.tsx'
import { Icon } from './icon.tsx'

export function Toasts() {
  const store = useStore()
  const t = useText()
  return (
    <div class="toasts" role="status" aria-live="polite">
      {store.now.toasts.map(({ id, text, tone }) => (
        <div key={id} class={`toast tone-${tone}`}>
          <p>
            <CodeText text={text} />
          </p>
          <button type="button" class="button plain" onClick={() => store.closeToast(id)} aria-label={t('close')}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  )
}
