// The styles and symbols. They use the terminal's palette only, so they are readable on light and dark terminals.
import { Chalk } from 'chalk'

export interface Theme {
  readonly dim: Style
  readonly bold: Style
  readonly success: Style
  readonly failure: Style
  readonly warning: Style
  readonly accent: Style
  readonly selected: Style
  readonly plain: Style
  readonly symbols: Symbols
  /** Replaces the typographic characters in a rendered line if the locale is not UTF-8. Letters are not replaced. */
  readonly finishLine: (line: string) => string
}

export type Style = (text: string) => string
export type StyleName = Exclude<keyof Theme, 'symbols' | 'finishLine'>

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
    symbols: unicode ? UNICODE_SYMBOLS : ASCII_SYMBOLS,
    finishLine: unicode ? plain : toAscii,
  }
}

/** Each character replaces one of the same width, so the line keeps its width. */
const ASCII_CHARACTERS: Readonly<Record<string, string>> = {
  '…': '~',
  '→': '>',
  '←': '<',
  '↑': '^',
  '↓': 'v',
  '“': '"',
  '”': '"',
  '’': "'",
  '‹': '<',
  '›': '>',
  '–': '-',
  '·': '-',
}

function toAscii(line: string): string {
  return line.replace(/[…→←↑↓“”’‹›–·]/g, (character) => ASCII_CHARACTERS[character] ?? character)
}

export interface Symbols {
  readonly corners: readonly [topLeft: string, topRight: string, bottomLeft: string, bottomRight: string]
  readonly horizontal: string
  readonly vertical: string
  readonly pointer: string
  readonly folds: { readonly open: string; readonly closed: string }
  readonly bars: readonly string[]
  readonly status: Readonly<Record<StatusSymbol, string>>
}

/** A symbol before each status word, so that a status is recognizable without colour. */
type StatusSymbol = 'open' | 'active' | 'success' | 'failure' | 'closed' | 'returned'

export const UNICODE_SYMBOLS: Symbols = {
  corners: ['╭', '╮', '╰', '╯'],
  horizontal: '─',
  vertical: '│',
  pointer: '▸',
  folds: { open: '▾', closed: '▸' },
  bars: [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'],
  status: { open: '○', active: '◐', success: '✓', failure: '✗', closed: '–', returned: '↺' },
}

const ASCII_SYMBOLS: Symbols = {
  corners: ['+', '+', '+', '+'],
  horizontal: '-',
  vertical: '|',
  pointer: '>',
  folds: { open: 'v', closed: '>' },
  bars: [' ', '.', '.', ':', ':', '|', '|', '#', '#'],
  status: { open: 'o', active: '~', success: 'v', failure: 'x', closed: '-', returned: '<' },
}

const STATUS_SYMBOLS: Readonly<Record<string, StatusSymbol>> = {
  pending: 'open',
  processing: 'active',
  succeeded: 'success',
  failed: 'failure',
  expired: 'closed',
  cancelled: 'closed',
  refunded: 'returned',
  waiting: 'open',
  sending: 'active',
  delivered: 'success',
  exhausted: 'failure',
}

/** Formats a status with its symbol, as in `✓ succeeded`. */
export function statusText(status: string, symbols: Symbols): string {
  return `${statusSymbol(status, symbols)} ${status}`
}

export function statusSymbol(status: string, symbols: Symbols): string {
  const symbol = Object.hasOwn(STATUS_SYMBOLS, status) ? STATUS_SYMBOLS[status] : undefined
  return symbols.status[symbol ?? 'open']
}
