import { useEffect, useState } from 'preact/hooks'
import { sandboxNow } from '../../view-model/model.ts'
import { formatDateTime } from '../../view-model/time-format.ts'
import { browserClock } from '../state/browser-clock.ts'
import { type Theme, usePreferences } from '../state/preferences.ts'
import { useStore } from '../state/store.ts'
import { LANGUAGES, type Language, useText } from '../text/translate.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import { ObjectLink } from './object-link.tsx'

export function Header({ onSignOut }: { readonly onSignOut: (() => void) | undefined }) {
  const store = useStore()
  const t = useText()
  const { session, model } = store.app
  const { state } = model.connection
  return (
    <header class="header">
      <ObjectLink class="brand" view="payments">
        <Icon name="flask" />
        <span>{t('brand')}</span>
      </ObjectLink>
      <span class={`connection is-${state}`} role="status">
        {t(state === 'connecting' ? 'loading' : `state_${state}`)}
      </span>
      {session.readOnly && <span class="badge tone-warning">{t('read_only')}</span>}
      <span class="spring" />
      <Clock />
      <Preferences />
      <Button look="plain" onClick={() => store.open({ kind: 'help' })} aria-keyshortcuts="?">
        <Icon name="keyboard" />
        <span class="unseen">{t('help')}</span>
      </Button>
      {onSignOut !== undefined && (
        <Button look="plain" onClick={onSignOut}>
          {t('sign_out')}
        </Button>
      )}
    </header>
  )
}

/** Shows the sandbox's clock. Only this part is rendered each second. */
function Clock() {
  const t = useText()
  const { model } = useStore().app
  const [now, setNow] = useState(browserClock.now)
  useEffect(() => {
    let timer = browserClock.setTimeout(tick, 1000)
    function tick(): void {
      setNow(browserClock.now())
      timer = browserClock.setTimeout(tick, 1000)
    }
    return () => timer.cancel()
  }, [])
  const { clock } = model
  if (clock === undefined) return null
  const time = sandboxNow({ clock, now: Math.max(now, clock.receivedAt) })
  return (
    <span class="clock" title={t('clock_title')}>
      <Icon name="clock" />
      <time dateTime={new Date(time).toISOString()}>{formatDateTime(time)}</time>
      {clock.mode === 'frozen' && <span class="badge tone-accent">{t('clock_frozen')}</span>}
      {clock.mode === 'scaled' && <span class="badge tone-accent">{t('clock_scaled', { speed: clock.speed })}</span>}
    </span>
  )
}

function Preferences() {
  const t = useText()
  const { theme, setTheme, language, setLanguage } = usePreferences()
  return (
    <>
      <label class="preference">
        <span class="unseen">{t('theme')}</span>
        <select value={theme} onChange={(event) => setTheme(event.currentTarget.value as Theme)}>
          {(['system', 'light', 'dark'] as const).map((each) => (
            <option key={each} value={each}>
              {t(`theme_${each}`)}
            </option>
          ))}
        </select>
      </label>
      <label class="preference">
        <span class="unseen">{t('language')}</span>
        <select value={language} onChange={(event) => setLanguage(event.currentTarget.value as Language)}>
          {LANGUAGES.map((each) => (
            <option key={each} value={each} lang={each}>
              {each.toUpperCase()}
            </option>
          ))}
        </select>
      </label>
    </>
  )
}
