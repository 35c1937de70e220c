// An action on many rows: its progress, how it is stopped, and the end of the view while it runs.
import { describe, expect, it } from 'vitest'
import { createBulkRunner } from '../../src/tui/bulk-runner.ts'
import { renderFooter } from '../../src/tui/panes/footer.ts'
import type { Action } from '../../src/tui/state/reducer.ts'
import type { State } from '../../src/tui/state/state.ts'
import type { SingleCall } from '../../src/view-model/effect.ts'
import { manualSystemClock } from '../time/manual-system-clock.ts'
import { applyActions, createState, NOW, PLAIN_THEME, pressKeys, stateWithPayments } from './fixtures.ts'

const press = (state: State, ...names: readonly string[]) => applyActions(state, ...pressKeys(...names))
const callEffects = (effects: readonly { do: string }[]) => effects.filter((effect) => effect.do !== 'load')
const progress = (finished: number, total = 4000): Action => ({ type: 'bulk_progress', finished, total })
const started = press(stateWithPayments(3), '*', 'p', 'enter').state
const running = applyActions(started, progress(94)).state

describe('an action on marked rows that is running', () => {
  it('shows its progress in the key line at any width', () => {
    expect(renderFooter(started, PLAIN_THEME)).toMatch(/^ ◐ 0 of 3, Esc stops {3}/)
    expect(renderFooter(running, PLAIN_THEME)).toMatch(/^ ◐ 94 of 4,000, Esc stops {3}/)
    const narrow = applyActions(running, { type: 'resized', size: { columns: 40, rows: 12 } }).state
    expect(renderFooter(narrow, PLAIN_THEME)).toContain('94 of 4,000, Esc stops')
  })

  it('is stopped by Esc, also in the detail, and the next Esc goes back', () => {
    for (const state of [running, press(running, 'enter').state]) {
      const stopped = press(state, 'escape')
      expect(callEffects(stopped.effects)).toEqual([{ do: 'stop_bulk' }])
      expect(stopped.state).toMatchObject({ focus: state.focus, marks: state.marks })
      expect(renderFooter(stopped.state, PLAIN_THEME)).toMatch(/^ ◐ stopping at 94 of 4,000 {3}/)
      const again = press(stopped.state, 'escape')
      expect(callEffects(again.effects)).toEqual([])
    }
  })

  it('refuses another action on marked rows, and permits one on a single row', () => {
    const refused = press(running, 'p')
    expect([refused.state.overlay, refused.state.notice?.text]).toEqual([
      undefined,
      'An action on 4,000 rows is running. Press Esc to stop it, or wait until it is done.',
    ])
    expect(press({ ...running, marks: new Set() }, 'p').state.overlay).toMatchObject({ kind: 'confirm' })
  })

  it('makes q ask with the current progress, and Enter quits', () => {
    const asked = press(running, 'q')
    expect(callEffects(asked.effects)).toEqual([])
    expect(asked.state.overlay).toMatchObject({ question: '94 of 4,000 done. Stop and quit?' })
    const later = applyActions(asked.state, progress(120)).state
    expect(later.overlay).toMatchObject({ question: '120 of 4,000 done. Stop and quit?' })
    expect(callEffects(press(later, 'enter').effects)).toEqual([{ do: 'quit' }])
    expect(press(later, 'escape')).toMatchObject({
      state: { overlay: undefined, bulk: { finished: 120 } },
      effects: [],
    })
  })

  it('is ended by Ctrl-C without a question', () => {
    expect(callEffects(press(running, 'ctrl+c').effects)).toEqual([{ do: 'quit' }])
  })

  it('ends with a notice, and closes the question whether to stop it', () => {
    const done: Action = { type: 'bulk_done', text: '3 of 3 done.', style: 'success', now: NOW }
    const { state } = applyActions(press(running, 'q').state, done)
    expect(state).toMatchObject({ bulk: undefined, overlay: undefined, notice: { text: '3 of 3 done.' } })
    expect(callEffects(press(createState(), 'q').effects)).toEqual([{ do: 'quit' }])
  })
})

describe('the runner of an action on many rows', () => {
  const calls: SingleCall[] = Array.from({ length: 9 }, (_, index) => ({ do: 'pay', id: `p${index}` }))

  function create(perform: (call: SingleCall) => Promise<unknown>) {
    const systemClock = manualSystemClock()
    const actions: Action[] = []
    const runner = createBulkRunner({
      perform,
      explain: (error) => (error as Error).message,
      dispatch: (action) => actions.push(action),
      systemClock,
    })
    return { runner, systemClock, actions }
  }

  it('dispatches progress and the result', async () => {
    const { runner, systemClock, actions } = create(async () => {})
    runner.start(calls)
    await systemClock.advance(2000)
    expect(actions[0]).toMatchObject({ type: 'bulk_progress', total: 9 })
    expect(actions.at(-1)).toMatchObject({ type: 'bulk_done', text: '9 of 9 done.', style: 'success' })
    expect(await runner.end()).toBeUndefined()
  })

  it('stops at the end of the view, and returns a line for the shell', async () => {
    let sent = 0
    const { runner, systemClock } = create(async () => {
      sent++
      // The later requests have no response.
      if (sent > 6) await new Promise(() => {})
    })
    runner.start(calls)
    await systemClock.advance(50)
    const line = runner.end()
    await systemClock.advance(2000)
    expect(await line).toBe('Stopped: 6 of 9 done. 3 requests have no response yet.')
    expect(sent).toBe(9)
  })
})
