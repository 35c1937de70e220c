// Starts the dashboard in the document of the server.
import { options, render } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { App } from './app.tsx'
import { ServerUnreachable, SignIn } from './components/sign-in.tsx'
import { browserClock } from './state/browser-clock.ts'
import {
  applyTheme,
  type Preferences,
  PreferencesContext,
  readLanguage,
  readTheme,
  saveLanguage,
  saveTheme,
} from './state/preferences.ts'
import { type Access, hasToken, openSession, type Session, saveToken, takeTokenOfLink } from './state/session.ts'
import { startFeed } from './state/start-feed.ts'
import { createStore, StoreContext } from './state/store.ts'
import './styles/index.css'
import { createTranslate, TextContext } from './text/translate.ts'
import { visibleChildren } from './text/visible-children.ts'

/** If the server does not respond, the request is repeated after this many ms. */
const RETRY = 2000

function Root({ root }: { readonly root: URL }) {
  const [theme, setTheme] = useState(readTheme)
  const [language, setLanguage] = useState(readLanguage)
  const [access, setAccess] = useState<Access>()
  const command = access?.kind === 'open' ? access.session.command : undefined
  const t = useMemo(() => createTranslate(language, command), [language, command])
  const preferences = useMemo(
    (): Preferences => ({
      theme,
      language,
      setTheme(next) {
        saveTheme(next)
        setTheme(next)
      },
      setLanguage(next) {
        saveLanguage(next)
        setLanguage(next)
      },
    }),
    [theme, language],
  )
  const open = () => void openSession(root.href.replace(/\/$/, '')).then(setAccess)
  useEffect(open, [])
  useEffect(() => {
    if (access?.kind !== 'failed') return
    const timer = browserClock.setTimeout(open, RETRY)
    return () => timer.cancel()
  }, [access])
  const changeToken = (token: string | undefined) => {
    saveToken(token)
    open()
  }
  return (
    <PreferencesContext.Provider value={preferences}>
      <TextContext.Provider value={t}>
        {access?.kind === 'open' && (
          <Open
            session={access.session}
            root={root.pathname}
            onSignOut={hasToken() ? () => changeToken(undefined) : undefined}
            onRejected={() => setAccess({ kind: 'wrong_token' })}
          />
        )}
        {(access?.kind === 'sign_in' || access?.kind === 'wrong_token') && (
          <SignIn isWrong={access.kind === 'wrong_token' && hasToken()} onToken={changeToken} />
        )}
        {access?.kind === 'failed' && (
          <ServerUnreachable
            message={access.message}
            onRetry={open}
            onSignOut={hasToken() ? () => changeToken(undefined) : undefined}
          />
        )}
      </TextContext.Provider>
    </PreferencesContext.Provider>
  )
}

interface OpenProps {
  readonly session: Session
  readonly root: string
  readonly onSignOut: (() => void) | undefined
  onRejected(): void
}

function Open({ session, root, onSignOut, onRejected }: OpenProps) {
  const store = useMemo(() => createStore(session, root), [session, root])
  useEffect(() => {
    const ended = new AbortController()
    void startFeed(store, ended.signal, onRejected)
    return () => ended.abort()
  }, [store])
  return (
    <StoreContext.Provider value={store}>
      <App onSignOut={onSignOut} />
    </StoreContext.Provider>
  )
}

// Sanitizes the text of every element here, so that no view can forget to sanitize.
const onVnode = options.vnode
options.vnode = (vnode) => {
  const props = vnode.props as { children?: unknown } | null
  if (typeof vnode.type === 'string' && props?.children !== undefined) props.children = visibleChildren(props.children)
  onVnode?.(vnode)
}

const element = document.getElementById('app')
if (element !== null) {
  // Old browsers do not know the media query of the style sheet, so the style sheet is applied without the query.
  const style = document.getElementById('dashboard-style')
  if (style instanceof HTMLLinkElement && !matchMedia(style.media).matches) style.media = 'all'
  takeTokenOfLink()
  applyTheme(readTheme())
  document.documentElement.lang = readLanguage()
  render(<Root root={new URL(element.dataset['root'] ?? './', location.href)} />, element)
}
