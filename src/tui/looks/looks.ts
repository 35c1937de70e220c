// How things look: few looks, of the terminal's own palette, so that they are readable on light and dark ones.
import { Chalk } from 'chalk'
import { ASCII, type Marks, UNICODE } from './marks.ts'

export interface Looks {
  readonly dim: Look
  readonly bold: Look
  readonly good: Look
  readonly bad: Look
  readonly odd: Look
  readonly name: Look
  readonly chosen: Look
  readonly plain: Look
  /** Of frames that Ink draws; none where there is no colour. */
  readonly borderColour: 'cyan' | undefined
  /** Lines and marks of Unicode, or of ASCII where the terminal has no more. */
  readonly marks: Marks
}

export type Look = (text: string) => string
export type LookName = Exclude<keyof Looks, 'marks' | 'borderColour'>

/** @param colour without it, bold, dim and reversed text remain: they are no colours */
export function createLooks({ colour, unicode }: { colour: boolean; unicode: boolean }): Looks {
  const chalk = new Chalk({ level: 1 })
  const plain: Look = (text) => text
  return {
    dim: chalk.dim,
    bold: chalk.bold,
    good: colour ? chalk.green : plain,
    bad: colour ? chalk.red : chalk.bold,
    odd: colour ? chalk.yellow : plain,
    name: colour ? chalk.cyan : plain,
    chosen: chalk.inverse,
    plain,
    borderColour: colour ? 'cyan' : undefined,
    marks: unicode ? UNICODE : ASCII,
  }
}
