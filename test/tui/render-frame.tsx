// A frame of the whole view, drawn by Ink without a terminal.
import { Text } from 'ink'
import { render } from 'ink-testing-library'
import { App } from '../../src/tui/app.tsx'
import type { State } from '../../src/tui/state/state.ts'
import type { Theme } from '../../src/tui/theme/theme.ts'
import { COLOURLESS } from './fixtures.ts'

const kept = new WeakMap<State, Map<Theme, string>>()

/** Drawn once for each state and theme: a big screen takes its time. */
export function drawn(state: State, theme: Theme = COLOURLESS): string {
  const frames = kept.get(state) ?? new Map<Theme, string>()
  kept.set(state, frames)
  const frame = frames.get(theme) ?? draw(state, theme)
  frames.set(theme, frame)
  return frame
}

function draw(state: State, theme: Theme): string {
  const { stdout, rerender, lastFrame, unmount } = render(<Text> </Text>)
  // The library's own screen is 100 columns wide.
  Object.defineProperty(stdout, 'columns', { value: state.size.columns })
  rerender(<App state={state} theme={theme} onKeys={() => {}} />)
  const frame = lastFrame() ?? ''
  unmount()
  return frame
}

export function open(state: State, theme: Theme, onKeys: (keys: readonly string[]) => void = () => {}) {
  return render(<App state={state} theme={theme} onKeys={onKeys} />)
}
