// The live view: one reducer, driven by the stream and by keys, and a scheduler that draws the state.
import { render } from 'ink'
import type { Client } from '../client/client.ts'
import type { SystemClock } from '../system-clock/system-clock.ts'
import type { Effect } from '../view-model/effect.ts'
import { runFeed } from '../view-model/feed/feed.ts'
import { loadDetail, runCall } from '../view-model/feed/run-call.ts'
import { App } from './app.tsx'
import { createKeyQueue } from './key-queue.ts'
import { readInput } from './keys/read-input.ts'
import { createDiffWriter, createFrameScheduler, enterScreen, mouseReports, type Terminal } from './screen.ts'
import type { Action } from './state/reducer.ts'
import { reduce } from './state/reducer.ts'
import { initialState, type Size } from './state/state.ts'
import { createTheme } from './theme/theme.ts'

export interface ViewOptions {
  readonly client: Client
  readonly url: string
  /** True if the server runs in this process. */
  readonly embedded: boolean
  readonly payUrl: string
  readonly terminal: Terminal
  readonly colour: boolean
  readonly unicode: boolean
  readonly systemClock: SystemClock
  /** Opens the page of a payment in a browser. */
  readonly openPage: (id: string, address: string) => Promise<void>
  /** Describes an error and the next step in one line. */
  readonly explain: (error: unknown) => string
  /** Registers a callback for an unexpected end of the process. Returns how to remove it. */
  readonly onExit: (leave: () => void) => () => void
  /** Ends the view when aborted. */
  readonly signal: AbortSignal
}

/** The detail of a row is fetched after the row was selected for this many ms. */
const DETAIL_DELAY = 150

/** Resolves when the user quits or `signal` aborts. Rejects if the server rejects the feed, or on an internal error. */
export async function openView(options: ViewOptions): Promise<void> {
  const { client, terminal, systemClock, url, embedded } = options
  const controller = new AbortController()
  const end = () => controller.abort()
  if (options.signal.aborted) return
  options.signal.addEventListener('abort', end, { once: true })

  let state = initialState({ url, embedded, size: sizeOf(terminal), now: systemClock.now() })
  const theme = createTheme(options)
  const screen = enterScreen(terminal, options.onExit)
  const writer = createDiffWriter((text) => void terminal.stdout.write(text), state.size)
  const keys = createKeyQueue(
    (pressed) => dispatch({ type: 'keys', keys: pressed, now: systemClock.now() }),
    systemClock,
  )
  const frame = () => <App state={state} theme={theme} />
  const scheduler = createFrameScheduler(() => ink.rerender(frame()), systemClock)
  let detailTimer: { cancel(): void } | undefined

  function dispatch(action: Action): void {
    if (controller.signal.aborted) return
    const [next, effects] = reduce(state, action)
    if (next.mouse !== state.mouse) terminal.stdout.write(mouseReports(next.mouse))
    state = next
    for (const effect of effects) performEffect(effect)
    scheduler.request(action.type === 'keys' || action.type === 'resized')
  }

  function performEffect(effect: Effect): void {
    switch (effect.do) {
      case 'quit':
        end()
        return
      case 'copy':
        terminal.stdout.write(copySequence(effect.text))
        dispatch({ type: 'notice', text: `Copied ${effect.what ?? effect.text}`, now: systemClock.now() })
        return
      case 'load':
        detailTimer?.cancel()
        detailTimer = systemClock.setTimeout(() => void fetchDetail(effect), DETAIL_DELAY)
        return
      default:
        runCall(effect, { ...options, client }).then(
          (result) => dispatch({ type: 'call_done', ...result, now: systemClock.now() }),
          (error: unknown) => dispatch({ type: 'call_failed', text: options.explain(error), now: systemClock.now() }),
        )
    }
  }

  async function fetchDetail({ pane, id }: Extract<Effect, { do: 'load' }>): Promise<void> {
    const loaded = await loadDetail(client, pane, id).catch((error: unknown) => ({ problem: options.explain(error) }))
    dispatch({ type: 'detail_loaded', pane, id, loaded })
  }

  function onResize(): void {
    writer.resize(sizeOf(terminal))
    dispatch({ type: 'resized', size: sizeOf(terminal) })
  }

  const ink = render(frame(), {
    stdin: terminal.stdin,
    stdout: writer.stream,
    // Ink then writes each frame completely, in one write. The diff writer relies on it.
    debug: true,
    exitOnCtrlC: false,
    patchConsole: false,
  })
  const stopReading = readInput(terminal.stdin, keys.push, systemClock)
  const ticker = systemClock.setInterval(() => dispatch({ type: 'tick', now: systemClock.now() }), 1000)
  terminal.stdout.on('resize', onResize)
  try {
    const inkExited = ink.waitUntilExit()
    const aborted = new Promise<void>((resolve) =>
      controller.signal.addEventListener('abort', () => resolve(), { once: true }),
    )
    await Promise.race([aborted, inkExited, runFeed({ client, systemClock, signal: controller.signal, dispatch })])
  } finally {
    end()
    stopReading()
    keys.stop()
    scheduler.stop()
    detailTimer?.cancel()
    ticker.cancel()
    terminal.stdout.off('resize', onResize)
    options.signal.removeEventListener('abort', end)
    writer.close()
    ink.unmount()
    screen.leave()
  }
}

/** OSC 52, which copies through the terminal. */
function copySequence(text: string): string {
  return `\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`
}

function sizeOf({ stdout }: Terminal): Size {
  return { columns: stdout.columns || 80, rows: stdout.rows || 24 }
}
