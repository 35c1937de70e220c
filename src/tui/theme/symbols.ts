// The characters the view draws with: Unicode, or ASCII for terminals without Unicode.

export interface Symbols {
  readonly corners: readonly [topLeft: string, topRight: string, bottomLeft: string, bottomRight: string]
  readonly horizontal: string
  readonly vertical: string
  readonly pointer: string
  readonly bars: readonly string[]
  readonly dot: string
  readonly status: Readonly<Record<StatusSymbol, string>>
}

/** A symbol before each status word, so that a status is recognizable without colour. */
export type StatusSymbol = 'open' | 'active' | 'success' | 'failure' | 'closed' | 'returned'

export const UNICODE_SYMBOLS: Symbols = {
  corners: ['╭', '╮', '╰', '╯'],
  horizontal: '─',
  vertical: '│',
  pointer: '▸',
  bars: [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'],
  dot: '·',
  status: { open: '○', active: '◐', success: '✓', failure: '✗', closed: '–', returned: '↺' },
}

export const ASCII_SYMBOLS: Symbols = {
  corners: ['+', '+', '+', '+'],
  horizontal: '-',
  vertical: '|',
  pointer: '>',
  bars: [' ', '.', '.', ':', ':', '|', '|', '#', '#'],
  dot: '-',
  status: { open: 'o', active: '~', success: 'v', failure: 'x', closed: '-', returned: '<' },
}
