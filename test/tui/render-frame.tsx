// Renders a frame of the whole view with Ink, without a terminal.
import { Text } from 'ink'
import { render } from 'ink-testing-library'
import { App } from '../../src/tui/app.tsx'
import type { State } from '../../src/tui/state/state.ts'
import type { Theme } from '../../src/tui/theme/theme.ts'
import { PLAIN_THEME } from './fixtures.ts'

const cache = new WeakMap<State, Map<Theme, string>>()

/** Returns the frame of a state. Cached for each state and theme, because a big screen is slow to render. */
export function renderFrame(state: State, theme: Theme = PLAIN_THEME): string {
  const frames = cache.get(state) ?? new Map<Theme, string>()
  cache.set(state, frames)
  const frame = frames.get(theme) ?? renderOnce(state, theme)
  frames.set(theme, frame)
  return frame
}

function renderOnce(state: State, theme: Theme): string {
  const { stdout, rerender, lastFrame, unmount } = render(<Text> </Text>)
  // The screen of the library is always 100 columns wide.
  Object.defineProperty(stdout, 'columns', { value: state.size.columns })
  rerender(<App state={state} theme={theme} />)
  const frame = lastFrame() ?? ''
  // Ink renders again at the end, so the big view is replaced first.
  rerender(<Text> </Text>)
  unmount()
  return frame
}
