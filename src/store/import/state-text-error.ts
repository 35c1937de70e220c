/** The text of a state is invalid. */
export class StateTextError extends Error {
  override readonly name = 'StateTextError'
  /** The line of the issue. The first line is 1. */
  readonly line: number
  /** From 1. Absent if the issue concerns the whole line. Not exact after characters that are not ASCII. */
  readonly column: number | undefined
  /** True if the text is not JSON. */
  readonly isSyntax: boolean
  constructor(why: string, line: number, more: { readonly column?: number; readonly isSyntax?: boolean } = {}) {
    super(why.replace(/\.$/, ''))
    this.line = line
    this.column = more.column
    this.isSyntax = more.isSyntax === true
  }
}
