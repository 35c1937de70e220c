import { useStore } from '../state/store.ts'
import { errorText } from '../text/error-text.ts'
import { useText } from '../text/translate.ts'
import { Button } from './button.tsx'
import { CodeText } from './empty.tsx'
import { Icon } from './icon.tsx'

export function Toasts() {
  const store = useStore()
  const t = useText()
  return (
    <div class="toasts" role="status" aria-live="polite">
      {store.app.toasts.map(({ id, text, error, isRejected }) => (
        <div key={id} class={`toast tone-${error === undefined && !isRejected ? 'success' : 'failure'}`}>
          <p>
            <CodeText text={error === undefined ? text : `${text} ${errorText(error, t)}`} />
          </p>
          <Button look="plain" onClick={() => store.closeToast(id)} aria-label={t('close')}>
            <Icon name="close" />
          </Button>
        </div>
      ))}
    </div>
  )
}
