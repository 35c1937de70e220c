// The whole screen, as lines that Ink writes.
import { Box, Text, Transform } from 'ink'
import type { ReactNode } from 'react'
import { renderBody } from './panes/body.ts'
import { renderFooter } from './panes/footer.ts'
import { renderHeader } from './panes/header.ts'
import { renderHelp } from './panes/help.ts'
import { bodyHeight, isTooSmall, MIN_SIZE } from './panes/layout.ts'
import { modalHeight, renderModal } from './panes/modal.ts'
import type { State } from './state/state.ts'
import type { Theme } from './theme/theme.ts'

export interface AppProps {
  readonly state: State
  readonly theme: Theme
}

export function App({ state, theme }: AppProps): ReactNode {
  const { size, overlay } = state
  if (isTooSmall(size)) return <TooSmall {...size} />
  const modal = modalHeight(state)
  const height = bodyHeight(size) - modal
  const lines = [
    ...renderHeader(state, theme),
    ...(overlay?.kind === 'help'
      ? renderHelp(state, height, theme)
      : renderBody(state, height, theme).slice(0, height)),
    ...(modal === 0 ? [] : renderModal(state, modal, theme)),
    renderFooter(state, theme),
  ]
  return <RenderedLines lines={lines.map(theme.finishLine)} width={size.columns} />
}

/**
 * Ink caches every text that it measures, forever, and a view that is open all day would add ten texts per second. So
 * Ink measures the same blank text in every frame, and `Transform` replaces it with the lines.
 */
function RenderedLines({ lines, width }: { lines: readonly string[]; width: number }): ReactNode {
  const blank = new Array<string>(lines.length).fill(' '.repeat(width)).join('\n')
  return (
    <Box width={width} height={lines.length} flexShrink={0}>
      <Transform transform={(_blank, index) => lines[index] ?? ''}>
        <Text>{blank}</Text>
      </Transform>
    </Box>
  )
}

function TooSmall({ columns, rows }: State['size']): ReactNode {
  const minimum = `${MIN_SIZE.columns}x${MIN_SIZE.rows}`
  return (
    <Box width={columns} height={Math.max(1, rows - 1)}>
      <Text>{`This terminal is ${columns}x${rows}; psp ui needs at least ${minimum}. Press q to quit.`}</Text>
    </Box>
  )
}
