/** What is wrong with the text of a state, and where. */
export class StateTextError extends Error {
  override readonly name = 'StateTextError'
  /** Counted from 1. */
  readonly line: number
  /** Of characters, counted from 1; absent if the whole line is meant. */
  readonly column: number | undefined
  /** Not JSON: the text cannot be read, whatever it says. */
  readonly isSyntax: boolean
  constructor(why: string, line: number, more: { readonly column?: number; readonly isSyntax?: boolean } = {}) {
    super(why.replace(/\.$/, ''))
    this.line = line
    this.column = more.column
    this.isSyntax = more.isSyntax === true
  }
}
