import { some } from '../../flags.ts'

export const EXEC_ARGUMENTS = { command: some('the command and its arguments, after --') }
