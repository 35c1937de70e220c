// Errors of commands, and the exit codes.
import { ApiError, ConnectionError, UnsendableHeaderError } from '../client/errors.ts'
import { RecordingError } from '../recordings/recording-error.ts'

export const EXIT_CODES = {
  done: 0,
  failed: 1,
  usage: 2,
  forbidden: 3,
  not_found: 4,
  refused: 5,
  unreachable: 6,
  timed_out: 7,
  not_verified: 8,
  busy: 9,
  not_runnable: 126,
  no_such_program: 127,
  hung_up: 129,
  interrupted: 130,
  terminated: 143,
} as const
export type ExitName = keyof typeof EXIT_CODES

/** Maps an HTTP error status to an exit code. A status that is not listed counts as failed. */
const BY_STATUS: Readonly<Record<number, ExitName>> = {
  400: 'refused',
  401: 'forbidden',
  403: 'forbidden',
  404: 'not_found',
  405: 'refused',
  409: 'refused',
  413: 'refused',
  415: 'refused',
  422: 'refused',
  429: 'refused',
}

export function exitCodeOfStatus(status: number): number {
  if (status >= 200 && status < 400) return EXIT_CODES.done
  return EXIT_CODES[BY_STATUS[status] ?? 'failed']
}

/** An error that the user can fix. The message says what happened, and the hint what to do next. */
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

/** Creates a usage error with exit code 2. */
export function usageError(message: string, hint: string): CliError {
  return new CliError('usage', message, hint)
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof CliError) return EXIT_CODES[error.exit]
  if (error instanceof ApiError) return exitCodeOfStatus(error.status)
  if (error instanceof ConnectionError) return EXIT_CODES.unreachable
  if (error instanceof UnsendableHeaderError || error instanceof RecordingError) return EXIT_CODES.usage
  return EXIT_CODES.failed
}

export interface Explained {
  readonly code: string
  readonly message: string
  readonly hint: string
}

/**
 * Returns the fields to print for any thrown value. Long texts and words are shortened.
 * @param maxWord maximum characters of a word
 */
export function explain(error: unknown, maxWord = MAX_WORD): Explained {
  const { code, message, hint } = fieldsOf(error)
  // A shortened command would not work.
  const maxHintWord = /`|psp /.test(hint) ? MAX_TEXT : maxWord
  return { code, message: shortened(message, maxWord), hint: shortened(hint, maxHintWord) }
}

/** Maximum characters of a word, and of a text. An error may quote an argument or a value of any length. */
const MAX_WORD = 300
export const MAX_TEXT = 2000

function shortened(text: string, maxWord: number): string {
  const words = text.replace(/\S+/g, (word) => cutMiddle(word, maxWord))
  return cutMiddle(words, MAX_TEXT)
}

/** Keeps the start and the end, because a path ends with the name of the file. */
function cutMiddle(text: string, length: number): string {
  const characters = [...text]
  if (characters.length <= length) return text
  const end = Math.floor((length - 1) / 2)
  return `${characters.slice(0, length - 1 - end).join('')}…${characters.slice(-end).join('')}`
}

function fieldsOf(error: unknown): Explained {
  if (isExplained(error)) return { code: String(error.code ?? codeOf(error)), message: error.message, hint: error.hint }
  const message = error instanceof Error ? error.message : String(error)
  const code = systemCode(error)
  if (code !== undefined)
    return { code, message, hint: 'This is an error of the operating system. `psp doctor` checks the usual causes.' }
  return {
    code: 'internal_error',
    message,
    hint: 'This is a bug in psp. Run the command again with --debug and report the stack trace.',
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
