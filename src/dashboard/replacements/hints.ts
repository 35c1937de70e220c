// Replaces src/client/hints.ts, whose hints name commands of the terminal.
import type * as hints from '../../client/hints.ts'

export const CORRECT_REQUEST = ''
export const hintFor: typeof hints.hintFor = () => ''
