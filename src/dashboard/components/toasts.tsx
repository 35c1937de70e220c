import { useStore } from '../state/store.ts'
import { errorText } from '../text/error-text.ts'
import { useText } from '../text/translate.ts'
import { Button } from './button.tsx'
import { CodeText } from './empty.tsx'
import { Icon } from './icon.tsx'

export function Toasts() {
  const store = useStore()
  const t = useText()
  const { toasts, progress } = store.app
  return (
    <div class="toasts">
      {progress && (
        <div class="toast">
          <p>{t('resending', { count: t.number(progress.finished), total: t.number(progress.total) })}</p>
          <Button onClick={progress.stop}>{t('stop')}</Button>
        </div>
      )}
      <div role="status" aria-live="polite">
        {toasts.map(({ id, text, error, hasFailed }) => (
          <div key={id} class={`toast tone-${error === undefined && !hasFailed ? 'success' : 'failure'}`}>
            <p>
              <CodeText text={error === undefined ? text : `${text} ${errorText(error, t)}`} />
            </p>
            <Button look="plain" onClick={() => store.closeToast(id)} aria-label={t('close')}>
              <Icon name="close" />
            </Button>
          </div>
        ))}
      </div>
    </div>
  )
}
