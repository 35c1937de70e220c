// The whole screen. Ink lays out, reads the keys and draws the sheets.
import { Box, Text, Transform, useInput } from 'ink'
import type { ReactNode } from 'react'
import { keyNames } from './keys/key-names.ts'
import { renderBody } from './panes/body.ts'
import { renderFooter } from './panes/footer.ts'
import { renderHeader } from './panes/header.ts'
import { renderHelp } from './panes/help.ts'
import { bodyHeight, isTooSmall, MIN_SIZE } from './panes/layout.ts'
import { Modal, modalHeight } from './panes/modal.tsx'
import type { State } from './state/state.ts'
import type { Theme } from './theme/theme.ts'

export interface AppProps {
  readonly state: State
  readonly theme: Theme
  /** Keys that came in one piece. */
  readonly onKeys: (keys: readonly string[]) => void
}

export function App({ state, theme, onKeys }: AppProps): ReactNode {
  useInput((input, key) => onKeys(keyNames(input, key)))
  const { size, overlay } = state
  if (isTooSmall(size)) return <TooSmall {...size} />
  const sheet = modalHeight(state)
  const height = bodyHeight(size) - sheet
  const middle =
    overlay?.kind === 'help' ? renderHelp(state, height, theme) : renderBody(state, height, theme).slice(0, height)
  return (
    <Box flexDirection="column" width={size.columns} height={size.rows - 1}>
      <RenderedLines lines={[...renderHeader(state, theme), ...middle]} width={size.columns} />
      {sheet > 0 && overlay !== undefined ? (
        <Modal overlay={overlay} height={sheet} columns={size.columns} theme={theme} />
      ) : null}
      <RenderedLines lines={[renderFooter(state, theme)]} width={size.columns} />
    </Box>
  )
}

/**
 * Lines that are painted already. What Ink measures here is blank and the same in each frame: Ink keeps the size of each
 * text it has ever measured, and a view that is open all day would feed it new ones ten times a second.
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
  const wanted = `${MIN_SIZE.columns}x${MIN_SIZE.rows}`
  return (
    <Box width={columns} height={Math.max(1, rows - 1)}>
      <Text>{`This terminal is ${columns}x${rows}; psp ui needs ${wanted} or more. q ends.`}</Text>
    </Box>
  )
}
