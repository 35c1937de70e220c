// The styles and symbols of the view, and those of each status. The styles use the terminal's palette only, so they are readable
// on light and dark terminals.
import { Chalk } from 'chalk'
import { isSuccess } from '../../domain/http-response.ts'

export interface Theme {
  readonly dim: Style
  readonly bold: Style
  readonly success: Style
  readonly failure: Style
  readonly warning: Style
  readonly accent: Style
  readonly selected: Style
  readonly plain: Style
  /** The border colour of boxes that Ink draws. `undefined` without colour. */
  readonly borderColour: 'cyan' | undefined
  readonly symbols: Symbols
}

export type Style = (text: string) => string
export type StyleName = Exclude<keyof Theme, 'symbols' | 'borderColour'>

/** @param colour if false, only bold, dim and inverse text are used */
export function createTheme({ colour, unicode }: { colour: boolean; unicode: boolean }): Theme {
  const chalk = new Chalk({ level: 1 })
  const plain: Style = (text) => text
  return {
    dim: chalk.dim,
    bold: chalk.bold,
    success: colour ? chalk.green : plain,
    failure: colour ? chalk.red : chalk.bold,
    warning: colour ? chalk.yellow : plain,
    accent: colour ? chalk.cyan : plain,
    selected: chalk.inverse,
    plain,
    borderColour: colour ? 'cyan' : undefined,
    symbols: unicode ? UNICODE_SYMBOLS : ASCII_SYMBOLS,
  }
}

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
type StatusSymbol = 'open' | 'active' | 'success' | 'failure' | 'closed' | 'returned'

export const UNICODE_SYMBOLS: Symbols = {
  corners: ['╭', '╮', '╰', '╯'],
  horizontal: '─',
  vertical: '│',
  pointer: '▸',
  bars: [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'],
  dot: '·',
  status: { open: '○', active: '◐', success: '✓', failure: '✗', closed: '–', returned: '↺' },
}

const ASCII_SYMBOLS: Symbols = {
  corners: ['+', '+', '+', '+'],
  horizontal: '-',
  vertical: '|',
  pointer: '>',
  bars: [' ', '.', '.', ':', ':', '|', '|', '#', '#'],
  dot: '-',
  status: { open: 'o', active: '~', success: 'v', failure: 'x', closed: '-', returned: '<' },
}

const STATUSES = {
  pending: ['open', 'warning'],
  processing: ['active', 'accent'],
  succeeded: ['success', 'success'],
  failed: ['failure', 'failure'],
  expired: ['closed', 'failure'],
  cancelled: ['closed', 'dim'],
  refunded: ['returned', 'success'],
  waiting: ['open', 'warning'],
  sending: ['active', 'accent'],
  delivered: ['success', 'success'],
  exhausted: ['failure', 'failure'],
} as const satisfies Readonly<Record<string, readonly [StatusSymbol, StyleName]>>

/** Formats a status with its symbol, as in `✓ succeeded`. */
export function statusText(status: string, symbols: Symbols): string {
  return `${symbols.status[findStatus(status)[0]]} ${status}`
}

export function statusStyle(status: string): StyleName {
  return findStatus(status)[1]
}

/** @param status an HTTP status, or 0 if there was no response */
export function httpStatusStyle(status: number): StyleName {
  if (isSuccess(status)) return 'success'
  return status >= 300 && status < 500 ? 'warning' : 'failure'
}

function findStatus(status: string): readonly [StatusSymbol, StyleName] {
  return Object.hasOwn(STATUSES, status) ? STATUSES[status as keyof typeof STATUSES] : ['open', 'plain']
}
