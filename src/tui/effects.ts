// Performs the effects that the reducer requests, and dispatches their results.
import type { DetailRequest } from '../view-model/effect.ts'
import { loadDetail, runCall } from '../view-model/feed/run-call.ts'
import { createBulkRunner } from './bulk-runner.ts'
import { type EditBody, type EditResult, editableText } from './state/edited-body.ts'
import type { Action } from './state/reducer.ts'
import type { ViewEffect } from './state/state.ts'
import type { TerminalSession } from './terminal-session.ts'
import type { ViewOptions } from './view-options.ts'

interface Ports {
  readonly options: ViewOptions
  readonly session: Pick<TerminalSession, 'lendTo'>
  readonly dispatch: (action: Action) => void
  readonly end: () => void
  /** Aborted when the view ends. */
  readonly signal: AbortSignal
  readonly wantsMouse: () => boolean
  readonly repaint: () => void
}

/** ms for which a row must be selected before its detail is fetched. */
const DETAIL_DELAY = 150

export function createEffects({ options, session, dispatch, end, signal, wantsMouse, repaint }: Ports) {
  const { client, terminal, systemClock } = options
  const bulk = createBulkRunner({
    perform: (call) => runCall(call, options),
    explain: options.explain,
    dispatch,
    systemClock,
  })
  let detailTimer: { cancel(): void } | undefined

  function perform(effect: ViewEffect): void {
    switch (effect.do) {
      case 'quit':
        end()
        return
      case 'copy':
        terminal.stdout.write(copySequence(effect.text))
        dispatch({ type: 'notice', text: `Copied ${effect.what ?? effect.text}`, now: systemClock.now() })
        return
      case 'edit_body':
        void editBody(effect)
        return
      case 'load':
        detailTimer?.cancel()
        if (effect.immediately) void fetchDetail(effect)
        else detailTimer = systemClock.setTimeout(() => void fetchDetail(effect), DETAIL_DELAY)
        return
      case 'suspend':
        void suspend()
        return
      case 'each':
        bulk.start(effect.calls)
        return
      case 'stop_bulk':
        bulk.stop()
        return
      default:
        runCall(effect, options).then(
          (result) => dispatch({ type: 'call_done', ...result, now: systemClock.now() }),
          (error: unknown) => dispatch({ type: 'call_failed', text: options.explain(error), now: systemClock.now() }),
        )
    }
  }

  async function fetchDetail({ pane, id, attempt }: DetailRequest): Promise<void> {
    const loaded = await loadDetail(client, pane, id, attempt).catch((error: unknown) => ({
      problem: options.explain(error),
    }))
    dispatch({ type: 'detail_loaded', pane, id, loaded })
  }

  async function editBody(edit: EditBody): Promise<void> {
    const open = () => options.edit(`${edit.event}.json`, editableText(edit.body), signal)
    const result: EditResult = await session.lendTo(open, signal, wantsMouse).then(
      (text) => ({ text }),
      (error: unknown) => ({ problem: options.explain(error) }),
    )
    repaint()
    dispatch({ type: 'edited', edit, result, now: systemClock.now() })
  }

  async function suspend(): Promise<void> {
    const problem =
      options.suspend === undefined
        ? 'This system cannot suspend a program.'
        : await session.lendTo(options.suspend, signal, wantsMouse).then(
            () => undefined,
            (error: unknown) => options.explain(error),
          )
    repaint()
    if (problem !== undefined) dispatch({ type: 'notice', text: problem, now: systemClock.now() })
  }

  return {
    perform,
    /** If an action on many rows was running, returns a line about its result, to print after the view has closed. */
    async stop(): Promise<string | undefined> {
      detailTimer?.cancel()
      return await bulk.end()
    },
  }
}

/** OSC 52, which copies through the terminal. */
function copySequence(text: string): string {
  return `\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`
}
