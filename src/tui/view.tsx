// The live view: one reducer, fed by the stream and the keys; a frame whenever it is time for one.
import { render } from 'ink'
import type { Client } from '../client/client.ts'
import type { WallClock } from '../time/wall.ts'
import { App } from './app.tsx'
import { createDiffWriter } from './diff-writer.ts'
import { runFeed } from './feed/feed.ts'
import { loadDetail } from './feed/load-detail.ts'
import { runCall } from './feed/run-call.ts'
import { createFrameScheduler } from './frame-scheduler.ts'
import { createKeyQueue } from './key-queue.ts'
import { enterScreen, type Terminal } from './screen.ts'
import type { Action } from './state/action.ts'
import type { Effect } from './state/effect.ts'
import { reduce } from './state/reducer.ts'
import { initialState, type Size } from './state/state.ts'
import { createTheme } from './theme/theme.ts'

export interface ViewOptions {
  readonly client: Client
  readonly url: string
  /** The server runs in this process. */
  readonly embedded: boolean
  readonly payUrl: string
  readonly terminal: Terminal
  readonly colour: boolean
  readonly unicode: boolean
  readonly wall: WallClock
  /** Opens a browser at the page of a payment. */
  readonly openPage: (id: string, address: string) => Promise<void>
  /** One sentence for an error, with how to go on. */
  readonly explain: (error: unknown) => string
  /** Calls its argument when the process ends without having been asked; returns how to stop that. */
  readonly onExit: (leave: () => void) => () => void
  /** Ends the view. */
  readonly signal: AbortSignal
}

/** ms a chosen row stays chosen before its detail is fetched. */
const DETAIL_DELAY = 150

/** Resolves when the person or `signal` ends it; rejects when the server refuses, or where this program is at fault. */
export async function openView(options: ViewOptions): Promise<void> {
  const { client, terminal, wall, url, embedded } = options
  const ended = new AbortController()
  const end = () => ended.abort()
  if (options.signal.aborted) return
  options.signal.addEventListener('abort', end, { once: true })

  let state = initialState({ url, embedded, size: sizeOf(terminal), now: wall.now() })
  const theme = createTheme(options)
  const screen = enterScreen(terminal, options.onExit)
  const painter = createDiffWriter((text) => void terminal.stdout.write(text), state.size)
  const keys = createKeyQueue((pressed) => dispatch({ type: 'keys', keys: pressed, now: wall.now() }), wall)
  const frame = () => <App state={state} theme={theme} onKeys={keys.push} />
  const pace = createFrameScheduler(() => ink.rerender(frame()), wall)
  let resting: { cancel(): void } | undefined

  function dispatch(action: Action): void {
    if (ended.signal.aborted) return
    const [next, effects] = reduce(state, action)
    state = next
    for (const effect of effects) run(effect)
    pace.request(action.type === 'keys' || action.type === 'resized')
  }

  function run(effect: Effect): void {
    switch (effect.do) {
      case 'quit':
        end()
        return
      case 'copy':
        terminal.stdout.write(`\u001b]52;c;${Buffer.from(effect.text).toString('base64')}\u0007`)
        dispatch({ type: 'notice', text: `Copied ${effect.text}`, now: wall.now() })
        return
      case 'load':
        resting?.cancel()
        resting = wall.setTimeout(() => void load(effect), DETAIL_DELAY)
        return
      default:
        runCall(effect, { client, openPage: options.openPage, payUrl: options.payUrl }).then(
          (done) => dispatch({ type: 'call_done', ...done, now: wall.now() }),
          (error: unknown) => dispatch({ type: 'call_failed', text: options.explain(error), now: wall.now() }),
        )
    }
  }

  async function load({ pane, id }: Extract<Effect, { do: 'load' }>): Promise<void> {
    const loaded = await loadDetail(client, pane, id).catch((error: unknown) => ({ problem: options.explain(error) }))
    dispatch({ type: 'detail_loaded', pane, id, loaded })
  }

  function resized(): void {
    const size = sizeOf(terminal)
    painter.resize(size)
    dispatch({ type: 'resized', size })
  }

  const ink = render(frame(), {
    stdin: terminal.stdin,
    stdout: painter.stream,
    // Whole frames, one write each: see the painter.
    debug: true,
    exitOnCtrlC: false,
    patchConsole: false,
  })
  const ticks = wall.setInterval(() => dispatch({ type: 'tick', now: wall.now() }), 1000)
  terminal.stdout.on('resize', resized)
  try {
    const drawn = ink.waitUntilExit()
    const over = new Promise<void>((resolve) => ended.signal.addEventListener('abort', () => resolve(), { once: true }))
    await Promise.race([over, drawn, runFeed({ client, wall, signal: ended.signal, dispatch })])
  } finally {
    end()
    keys.stop()
    pace.stop()
    resting?.cancel()
    ticks.cancel()
    terminal.stdout.off('resize', resized)
    options.signal.removeEventListener('abort', end)
    painter.close()
    ink.unmount()
    screen.leave()
  }
}

function sizeOf({ stdout }: Terminal): Size {
  return { columns: stdout.columns || 80, rows: stdout.rows || 24 }
}
