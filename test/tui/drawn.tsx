// A frame of the whole view, drawn by Ink without a terminal.
import { Text } from 'ink'
import { render } from 'ink-testing-library'
import { App } from '../../src/tui/app.tsx'
import type { Looks } from '../../src/tui/looks/looks.ts'
import type { State } from '../../src/tui/state/state.ts'
import { COLOURLESS } from './rig.ts'

const kept = new WeakMap<State, Map<Looks, string>>()

/** Drawn once for each state and looks: a big screen takes its time. */
export function drawn(state: State, looks: Looks = COLOURLESS): string {
  const frames = kept.get(state) ?? new Map<Looks, string>()
  kept.set(state, frames)
  const frame = frames.get(looks) ?? draw(state, looks)
  frames.set(looks, frame)
  return frame
}

function draw(state: State, looks: Looks): string {
  const { stdout, rerender, lastFrame, unmount } = render(<Text> </Text>)
  // The library's own screen is 100 columns wide.
  Object.defineProperty(stdout, 'columns', { value: state.size.columns })
  rerender(<App state={state} looks={looks} onKeys={() => {}} />)
  const frame = lastFrame() ?? ''
  unmount()
  return frame
}

export function open(state: State, looks: Looks, onKeys: (keys: readonly string[]) => void = () => {}) {
  return render(<App state={state} looks={looks} onKeys={onKeys} />)
}
