// The shell around the views: navigation, clock, connection, toasts and dialogs.
import { useEffect, useRef } from 'preact/hooks'
import { Dialogs } from './components/dialogs.tsx'
import { Header } from './components/header.tsx'
import { Icon } from './components/icon.tsx'
import { useKeySequence, useKeys } from './components/keys.ts'
import { ObjectLink } from './components/object-link.tsx'
import { Toasts } from './components/toasts.tsx'
import { useStore } from './state/store.ts'
import { useText } from './text/translate.ts'
import { VIEWS } from './views/index.ts'
import type { View } from './views/view.ts'

export function App({ onSignOut }: { readonly onSignOut: (() => void) | undefined }) {
  const store = useStore()
  const t = useText()
  const { route, model } = store.app
  const view = VIEWS.find(({ name }) => name === route.view) ?? (VIEWS[0] as View)
  useEffect(() => {
    // An address without a known view, such as `/`, means the first view.
    if (view.name !== route.view) store.go({ view: view.name }, true)
  }, [route.view])
  useEffect(() => {
    document.title = `${route.id === '' ? '' : `${route.id.slice(0, 8)} · `}${t(view.title)} · ${t('brand')}`
  }, [view, route.id, t])
  useKeys({
    '?': () => store.open({ kind: 'help' }),
    ...Object.fromEntries(VIEWS.slice(0, 9).map(({ name }, at) => [String(at + 1), () => store.go({ view: name })])),
  })
  useKeySequence('g', Object.fromEntries(VIEWS.map(({ name, letter }) => [letter, () => store.go({ view: name })])))
  const { connection } = model
  const Content = view.component
  return (
    <>
      <a class="skip" href="#main">
        {t('skip')}
      </a>
      <Header onSignOut={onSignOut} />
      <div class="shell">
        <Navigation current={view} />
        <main id="main" tabIndex={-1}>
          {connection.state === 'lost' && (
            <p class="banner" role="alert">
              {t('lost', { reason: connection.reason })}
            </p>
          )}
          <Content key={view.name} />
        </main>
      </div>
      <Toasts />
      <Dialogs views={VIEWS} />
    </>
  )
}

function Navigation({ current }: { readonly current: View }) {
  const t = useText()
  const list = useRef<HTMLElement>(null)
  // On narrow screens the views are in one line that scrolls.
  useEffect(
    () => list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' }),
    [current, t],
  )
  return (
    <nav class="navigation" aria-label={t('navigation')} ref={list}>
      <ul>
        {VIEWS.map(({ name, title, icon, letter }, at) => (
          <li key={name}>
            <ObjectLink view={name} aria-current={name === current.name ? 'page' : undefined}>
              <Icon name={icon} />
              <span>{t(title)}</span>
              <kbd aria-hidden="true">{at < 9 ? at + 1 : `g ${letter}`}</kbd>
            </ObjectLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
