// The state of the dashboard: the shared model, the route, the toasts and the dialog. Views read it with `useStore`.
import { createContext } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import type { Form } from '../../view-model/forms/form.ts'
import { initialModel, type Model } from '../../view-model/model.ts'
import type { ModelAction } from '../../view-model/model-action.ts'
import { reduceModel } from '../../view-model/reduce-model.ts'
import { browserClock } from './browser-clock.ts'
import { formatRoute, parseRoute, type Route } from './route.ts'
import type { Session } from './session.ts'

export interface ToastContent {
  readonly text: string
  /** True if a webhook was not delivered. */
  readonly hasFailed?: boolean
}

export interface Toast extends ToastContent {
  readonly id: number
  /** Present if something failed. It is shown after the text. */
  readonly error?: unknown
}

/** An action on many rows that is in progress. */
export interface Progress {
  readonly finished: number
  readonly total: number
  stop(): void
}

/** A question before an action, such as a deletion. */
export interface Confirmation {
  readonly kind: 'confirm'
  readonly question: string
  /** The button that performs the action. */
  readonly confirm: string
  /** `primary` if nothing is lost. Default: `danger`. */
  readonly look?: 'primary' | undefined
  run(): unknown
}

export type DialogState = { readonly kind: 'form'; readonly form: Form } | Confirmation | { readonly kind: 'help' }

export interface AppState {
  readonly session: Session
  readonly model: Model
  /** False until the first page of the first list was read. */
  readonly loaded: boolean
  readonly route: Route
  /** Whether this tab is advancing the clock. */
  readonly advancing: boolean
  /** The attempt that the user made last. */
  readonly newAttempt?: { readonly deliveryId: string; readonly number: number }
  readonly progress: Progress | undefined
  readonly toasts: readonly Toast[]
  readonly dialog: DialogState | undefined
}

export interface Store {
  state(): AppState
  subscribe(listener: () => void): () => void
  /** Applies an action of the shared reducer. */
  dispatch(action: ModelAction): void
  /**
   * Shows another view, object or list state.
   * @param replace true: the back button skips the current address
   */
  go(route: Partial<Route>, replace?: boolean): void
  href(route: Partial<Route>): string
  /** Opens a row of the current list. Always the same function, so that rows are not rendered again. */
  readonly openRow: (id: string) => void
  /** Opens an attempt as soon as the page shows it. */
  showAttempt(deliveryId: string, number: number): void
  setAdvancing(advancing: boolean): void
  setProgress(progress: Progress | undefined): void
  toast(content: ToastContent): void
  /** Loads the data of the open view again, without waiting for the messages of the stream. */
  refresh(): void
  /** @param text what succeeded before the error. The toast shows it before the error. */
  readonly fail: (error: unknown, text?: string) => void
  closeToast(id: number): void
  open(dialog: DialogState | undefined): void
  /**
   * Registers a listener. It gets each batch of the stream, or `undefined` if the data must be loaded again at once.
   * @returns a function that removes the listener
   */
  onMessages(listener: (batch: Extract<ModelAction, { type: 'messages' }>['batch'] | undefined) => void): () => void
}

/** A toast is shown for this many ms. Errors stay twice as long. */
const TOAST_TIME = 6000

/** @param root the path of the server, with a slash at its end */
export function createStore(session: Session, root: string): Store {
  const listeners = new Set<() => void>()
  const messageListeners = new Set<Parameters<Store['onMessages']>[0]>()
  let toastId = 0
  let state: AppState = {
    session,
    model: initialModel(browserClock.now()),
    loaded: false,
    route: currentRoute(),
    advancing: false,
    progress: undefined,
    toasts: [],
    dialog: undefined,
  }

  function currentRoute(): Route {
    return parseRoute(location.pathname, location.search, root)
  }

  function set(change: Partial<AppState>): void {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }

  function completeRoute(route: Partial<Route>): Route {
    const isOther = route.view !== undefined && route.view !== state.route.view
    return { ...state.route, ...(isOther ? { id: '', query: {} } : {}), ...route }
  }

  addEventListener('popstate', () => set({ route: currentRoute(), dialog: undefined }))

  function go(change: Partial<Route>, replace = false): void {
    const route = completeRoute(change)
    const url = formatRoute(route, root)
    if (replace) history.replaceState(null, '', url)
    else if (url !== location.pathname + location.search) history.pushState(null, '', url)
    set({ route })
  }

  function closeToast(id: number): void {
    if (state.toasts.some((toast) => toast.id === id)) set({ toasts: state.toasts.filter((toast) => toast.id !== id) })
  }

  function showToast(toast: Omit<Toast, 'id'>, time: number): void {
    const id = ++toastId
    // A new toast replaces earlier ones, except the newest that reports an error.
    const errors = state.toasts.filter(({ error }) => error !== undefined)
    set({ toasts: [...errors.slice(-1), { id, ...toast }] })
    browserClock.setTimeout(() => closeToast(id), time)
  }

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    dispatch(action) {
      const [model] = reduceModel(state.model, action)
      set({ model, loaded: state.loaded || action.type === 'lists' })
      if (action.type === 'messages') for (const listener of messageListeners) listener(action.batch)
    },
    go,
    openRow: (id) => go({ id }),
    href: (route) => formatRoute(completeRoute(route), root),
    showAttempt: (deliveryId, number) => set({ newAttempt: { deliveryId, number } }),
    setAdvancing: (advancing) => set({ advancing }),
    setProgress: (progress) => set({ progress }),
    toast: (content) => showToast(content, TOAST_TIME),
    refresh: () => {
      for (const listener of messageListeners) listener(undefined)
    },
    fail: (error, text = '') => showToast({ text, error }, TOAST_TIME * 2),
    closeToast,
    open: (dialog) => set({ dialog }),
    onMessages(listener) {
      messageListeners.add(listener)
      return () => messageListeners.delete(listener)
    },
  }
}

export const StoreContext = createContext<Store | undefined>(undefined)

export function useStore(): Store & { readonly app: AppState } {
  const store = useContext(StoreContext) as Store
  const [app, setApp] = useState(store.state)
  useEffect(() => {
    // Otherwise a change between the render and this effect would be missed.
    setApp(store.state())
    return store.subscribe(() => setApp(store.state()))
  }, [store])
  return { ...store, app }
}
