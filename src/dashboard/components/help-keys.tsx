import { useStore } from '../state/store.ts'
import type { MessageKey } from '../text/messages.ts'
import { useText } from '../text/translate.ts'
import type { View } from '../views/view.ts'
import { Button } from './button.tsx'

const KEYS: readonly (readonly [keys: readonly string[], text: MessageKey])[] = [
  [['/'], 'key_search'],
  [['j'], 'key_next'],
  [['k'], 'key_previous'],
  [['Enter'], 'key_open'],
  [['Esc'], 'key_close'],
  [['n'], 'key_new'],
  [['1', '…', '9'], 'key_views'],
  [['?'], 'key_help'],
]

export function HelpKeys({ views }: { readonly views: readonly View[] }) {
  const store = useStore()
  const t = useText()
  return (
    <div>
      <h2 id="dialog-title">{t('help')}</h2>
      <dl class="help-keys">
        {KEYS.map(([keys, text]) => (
          <div key={text}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{t(text)}</dd>
          </div>
        ))}
        {views.map(({ name, letter, title }) => (
          <div key={name}>
            <dt>
              <kbd>g</kbd>
              <kbd>{letter}</kbd>
            </dt>
            <dd>{t(title)}</dd>
          </div>
        ))}
      </dl>
      <div class="dialog-buttons">
        <Button autofocus onClick={() => store.open(undefined)}>
          {t('close')}
        </Button>
      </div>
    </div>
  )
}
