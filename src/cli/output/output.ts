// The output of a command: data on stdout, everything else on stderr.

import { sanitizeLine, stringifyForTerminal } from '../../terminal/sanitize.ts'
import { wrapWords } from '../../terminal/wrap-words.ts'
import { explain, MAX_TEXT } from '../failure.ts'
import type { Paint } from './colour.ts'
import { terminalColumns } from './terminal-width.ts'

export interface TextStream {
  write(text: string): boolean
  readonly isTTY?: boolean
  readonly columns?: number
}

export interface Output {
  /** One JSON document, or one per line for a stream, and nothing else on stdout. */
  readonly json: boolean
  readonly quiet: boolean
  /** Styles for stdout. */
  readonly paint: Paint
  /** Styles for stderr. */
  readonly notePaint: Paint
  /** Columns of stdout; `undefined` if it is not a terminal. */
  readonly columns: number | undefined
  /** Whether progress may be shown: stderr is a terminal that can move its cursor, and not a CI log. */
  readonly animate: boolean
  /** Writes one line of data, which must not contain control characters. */
  line(text?: string): void
  /** Writes data without adding a line end. */
  text(text: string): void
  /** Writes one JSON document on one line. */
  document(value: unknown): void
  /** Writes a note on stderr, unless `--quiet` is given. */
  note(text: string): void
  /** Like `note`. With `--json`, the note is written at {@link finish}, and dropped after a failure. */
  aside(text: string): void
  /** Writes the notes that `aside` has kept. Called at the end of the command. */
  finish(): void
  /** Writes a warning, even with `--quiet`. */
  warn(text: string): void
  failure(error: unknown): void
  /** From now on, a failed write to stdout does not end the command, because stdout is only its log. */
  tolerateFailedWrites(): void
  /** Whether {@link tolerateFailedWrites} was called. */
  toleratesFailedWrites(): boolean
}

export interface OutputOptions {
  readonly stdout: TextStream
  readonly stderr: TextStream
  readonly json: boolean
  readonly quiet: boolean
  readonly debug: boolean
  /** The result of `animates` in `colour.ts`. */
  readonly animate: boolean
  readonly paint: Paint
  readonly notePaint: Paint
}

export function createOutput(options: OutputOptions): Output {
  const { stdout, stderr, json, quiet, debug, paint, notePaint } = options
  const print = (text: string) =>
    void stderr.write(`${stderr.isTTY === true ? wrapWords(text, terminalColumns(stderr)).join('\n') : text}\n`)
  const note = (text: string) => void (quiet || print(text))
  const waiting: string[] = []
  let toleratesFailedWrites = false
  return {
    json,
    quiet,
    paint,
    notePaint,
    columns: stdout.isTTY === true ? terminalColumns(stdout) : undefined,
    animate: options.animate && !quiet && !json,
    line: (text = '') => void stdout.write(`${text}\n`),
    text: (text) => void stdout.write(text),
    document: (value) => void stdout.write(`${stringifyForTerminal(value)}\n`),
    note,
    aside: (text) => void (json ? waiting.push(text) : note(text)),
    finish: () => waiting.splice(0).forEach(note),
    tolerateFailedWrites() {
      toleratesFailedWrites = true
    },
    toleratesFailedWrites: () => toleratesFailedWrites,
    warn: (text) => print(notePaint.warn(text)),
    failure(error) {
      waiting.splice(0)
      const { code, message, hint } = json ? explain(error, MAX_TEXT) : explain(error)
      if (json) stderr.write(`${stringifyForTerminal({ error: { code, message, hint } })}\n`)
      else print(`${notePaint.bad('error')} ${sanitizeLine(message)}\n${notePaint.dim(sanitizeLine(hint))}`)
      if (debug && error instanceof Error) stderr.write(`${error.stack ?? ''}\n`)
    },
  }
}
