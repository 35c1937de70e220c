// The styles of the view. They use the terminal's palette only, so they are readable on light and dark terminals.
import { Chalk } from 'chalk'
import { ASCII_SYMBOLS, type Symbols, UNICODE_SYMBOLS } from './symbols.ts'

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
