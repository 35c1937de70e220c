// A failure the user can do something about: what happened, and how to go on.
import { ApiError, ConnectionError, UnsendableHeaderError } from '../client/errors.ts'
import { EXIT_CODES, type ExitName, exitCodeOfStatus } from './exit-codes.ts'

export class CliError extends Error {
  override readonly name = 'CliError'
  readonly exit: ExitName
  readonly code: string
  readonly hint: string
  constructor(exit: ExitName, message: string, hint: string, code: string = exit) {
    super(message)
    this.exit = exit
    this.code = code
    this.hint = hint
  }
}

/** Wrong usage: exit 2. */
export function usage(message: string, hint: string): CliError {
  return new CliError('usage', message, hint)
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof CliError) return EXIT_CODES[error.exit]
  if (error instanceof ApiError) return exitCodeOfStatus(error.status)
  if (error instanceof ConnectionError) return EXIT_CODES.unreachable
  if (error instanceof UnsendableHeaderError) return EXIT_CODES.usage
  return EXIT_CODES.failed
}

export interface Explained {
  readonly code: string
  readonly message: string
  readonly hint: string
}

/** Any thrown value in the three fields that are shown; a fault of this program says so. */
export function explain(error: unknown): Explained {
  if (isExplained(error)) return { code: String(error.code ?? codeOf(error)), message: error.message, hint: error.hint }
  const message = error instanceof Error ? error.message : String(error)
  const code = systemCode(error)
  if (code !== undefined) return { code, message, hint: 'The system refused; `psp doctor` checks the usual causes.' }
  return {
    code: 'internal_error',
    message,
    hint: 'This is a fault of psp. Run it again with --debug and report the trace.',
  }
}

function isExplained(error: unknown): error is Error & { hint: string; code?: unknown } {
  return error instanceof Error && typeof (error as { hint?: unknown }).hint === 'string'
}

/** Returns the name in snake case, such as `probe_error`. */
function codeOf(error: Error): string {
  return error.name.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase()
}

function systemCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && /^E[A-Z]+$/.test(code) ? code : undefined
}
