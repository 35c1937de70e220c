// Lines and signs: of Unicode, and of ASCII for terminals that have no more.

export interface Symbols {
  readonly corners: readonly [topLeft: string, topRight: string, bottomLeft: string, bottomRight: string]
  readonly horizontal: string
  readonly vertical: string
  readonly pointer: string
  readonly bars: readonly string[]
  readonly dot: string
  readonly status: Readonly<Record<StatusSymbol, string>>
}

/** A sign beside each word, for whoever sees no colours. */
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
