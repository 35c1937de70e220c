// Lines and signs: of Unicode, and of ASCII for terminals that have no more.

export interface Marks {
  readonly corners: readonly [topLeft: string, topRight: string, bottomLeft: string, bottomRight: string]
  readonly across: string
  readonly down: string
  readonly pointer: string
  readonly bars: readonly string[]
  readonly dot: string
  readonly signs: Readonly<Record<Sign, string>>
}

/** A sign beside each word, for whoever sees no colours. */
export type Sign = 'open' | 'half' | 'good' | 'bad' | 'off' | 'back'

export const UNICODE: Marks = {
  corners: ['╭', '╮', '╰', '╯'],
  across: '─',
  down: '│',
  pointer: '▸',
  bars: [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'],
  dot: '·',
  signs: { open: '○', half: '◐', good: '✓', bad: '✗', off: '–', back: '↺' },
}

export const ASCII: Marks = {
  corners: ['+', '+', '+', '+'],
  across: '-',
  down: '|',
  pointer: '>',
  bars: [' ', '.', '.', ':', ':', '|', '|', '#', '#'],
  dot: '-',
  signs: { open: 'o', half: '~', good: 'v', bad: 'x', off: '-', back: '<' },
}
