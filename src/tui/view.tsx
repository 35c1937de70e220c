// The live view: a reducer, driven by the stream and by keys, and a scheduler that draws the state.
import { render } from 'ink'
import { untilAborted } from '../domain/promises.ts'
import { runFeed } from '../view-model/feed/feed.ts'
import { App } from './app.tsx'
import { createEffects } from './effects.ts'
import { createKeyQueue } from './key-queue.ts'
import { createFrameScheduler, mouseReports } from './screen.ts'
import type { Action } from './state/reducer.ts'
import { reduce } from './state/reducer.ts'
import { initialState } from './state/state.ts'
import { openTerminalSession, sizeOf } from './terminal-session.ts'
import { createTheme } from './theme/theme.ts'
import type { ViewOptions } from './view-options.ts'

/**
 * Resolves when the user quits or `signal` aborts. Rejects if the server is unreachable at the start or rejects the
 * feed, and on an internal error.
 */
export async function openView(options: ViewOptions): Promise<void> {
  const { client, terminal, systemClock, url, runsServer } = options
  const controller = new AbortController()
  const end = () => controller.abort()
  if (options.signal.aborted) return
  options.signal.addEventListener('abort', end, { once: true })

  let state = initialState({ url, runsServer, size: sizeOf(terminal), now: systemClock.now() })
  const theme = createTheme(options)
  const keys = createKeyQueue(
    (pressed) => dispatch({ type: 'keys', keys: pressed, now: systemClock.now() }),
    systemClock,
  )
  const session = openTerminalSession({
    terminal,
    onInput: keys.push,
    onExit: options.onExit,
    systemClock,
    earlyInput: options.earlyInput(),
  })
  const frame = () => <App state={state} theme={theme} />
  const scheduler = createFrameScheduler(() => ink.rerender(frame()), systemClock)
  const effects = createEffects({
    options,
    session,
    dispatch,
    end,
    signal: controller.signal,
    wantsMouse: () => state.mouse,
    repaint: onResize,
  })

  function dispatch(action: Action): void {
    if (controller.signal.aborted) return
    const [next, requested] = reduce(state, action)
    if (next.mouse !== state.mouse) terminal.stdout.write(mouseReports(next.mouse))
    state = next
    for (const effect of requested) effects.perform(effect)
    scheduler.request(action.type === 'keys' || action.type === 'resized')
  }

  function onResize(): void {
    session.resize(sizeOf(terminal))
    dispatch({ type: 'resized', size: sizeOf(terminal) })
  }

  const ink = render(frame(), {
    stdin: terminal.stdin,
    stdout: session.stream,
    // Ink then writes each frame completely, in one write. `session.stream` relies on that.
    debug: true,
    exitOnCtrlC: false,
    patchConsole: false,
  })
  const ticker = systemClock.setInterval(() => dispatch({ type: 'tick', now: systemClock.now() }), 1000)
  terminal.stdout.on('resize', onResize)
  try {
    const inkExited = ink.waitUntilExit()
    const { signal } = controller
    await Promise.race([untilAborted(signal), inkExited, runFeed({ client, systemClock, signal, dispatch })])
  } finally {
    end()
    keys.stop()
    scheduler.stop()
    ticker.cancel()
    terminal.stdout.off('resize', onResize)
    options.signal.removeEventListener('abort', end)
    session.close()
    ink.unmount()
    const unfinished = await effects.stop()
    if (unfinished !== undefined) options.report(unfinished)
  }
}
