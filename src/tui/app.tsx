// The whole screen. Ink lays out, reads the keys and draws the sheets.
import { Box, Text, Transform, useInput } from 'ink'
import type { ReactNode } from 'react'
import { keyNames } from './keys/key-names.ts'
import type { Looks } from './looks/looks.ts'
import { body } from './panes/body.ts'
import { footer } from './panes/footer.ts'
import { bodyHeight, isTooSmall, SMALLEST } from './panes/geometry.ts'
import { header } from './panes/header.ts'
import { help } from './panes/help.ts'
import { Sheet, sheetHeight } from './panes/sheet.tsx'
import type { State } from './state/state.ts'

export interface AppProps {
  readonly state: State
  readonly looks: Looks
  /** Keys that came in one piece. */
  readonly onKeys: (keys: readonly string[]) => void
}

export function App({ state, looks, onKeys }: AppProps): ReactNode {
  useInput((input, key) => onKeys(keyNames(input, key)))
  const { size, overlay } = state
  if (isTooSmall(size)) return <TooSmall {...size} />
  const sheet = sheetHeight(state)
  const height = bodyHeight(size) - sheet
  const middle = overlay?.kind === 'help' ? help(state, height, looks) : body(state, height, looks).slice(0, height)
  return (
    <Box flexDirection="column" width={size.columns} height={size.rows - 1}>
      <Painted lines={[...header(state, looks), ...middle]} width={size.columns} />
      {sheet > 0 && overlay !== undefined ? (
        <Sheet overlay={overlay} height={sheet} columns={size.columns} looks={looks} />
      ) : null}
      <Painted lines={[footer(state, looks)]} width={size.columns} />
    </Box>
  )
}

/**
 * Lines that are painted already. What Ink measures here is blank and the same in each frame: Ink keeps the size of each
 * text it has ever measured, and a view that is open all day would feed it new ones ten times a second.
 */
function Painted({ lines, width }: { lines: readonly string[]; width: number }): ReactNode {
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
  const wanted = `${SMALLEST.columns}x${SMALLEST.rows}`
  return (
    <Box width={columns} height={Math.max(1, rows - 1)}>
      <Text>{`This terminal is ${columns}x${rows}; psp ui needs ${wanted} or more. q ends.`}</Text>
    </Box>
  )
}
