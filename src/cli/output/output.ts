// stdout is data, stderr is everything else.

import { sanitizeLine, stringifyForTerminal } from '../../terminal/sanitize.ts'
import { explain } from '../failure.ts'
import type { Paint } from './colour.ts'
import { wrap } from './wrap.ts'

export interface TextStream {
  write(text: string): boolean
  readonly isTTY?: boolean
  readonly columns?: number
}

export interface Output {
  /** One JSON document, or one per line for a stream, and nothing else on stdout. */
  readonly json: boolean
  readonly quiet: boolean
  /** Looks for stdout and for stderr. */
  readonly paint: Paint
  readonly notePaint: Paint
  /** Columns of stdout; `undefined` where it is no terminal. */
  readonly columns: number | undefined
  /** True where progress may be animated: stderr is a terminal that can move its cursor, and a person looks at it. */
  readonly animate: boolean
  /** One line of data; must already be plain. */
  line(text?: string): void
  /** Text of data as it is, without a line end added. */
  text(text: string): void
  /** One JSON document on a line of its own. */
  document(value: unknown): void
  /** A remark on stderr; `--quiet` leaves it out. */
  note(text: string): void
  /** A note that comes with a result: with `--json` it waits for {@link finish}, and a failure silences it. */
  aside(text: string): void
  /** The command is over. */
  finish(): void
  /** What must be seen even with `--quiet`. */
  warn(text: string): void
  failure(error: unknown): void
  /** From now on stdout holds a log, and the command does not end where it can no longer be written. */
  asLog(): void
  /** After {@link asLog}. */
  isLog(): boolean
}

export interface OutputOptions {
  readonly stdout: TextStream
  readonly stderr: TextStream
  readonly json: boolean
  readonly quiet: boolean
  readonly debug: boolean
  /** As {@link animates} says. */
  readonly animate: boolean
  readonly paint: Paint
  readonly notePaint: Paint
}

export function createOutput(options: OutputOptions): Output {
  const { stdout, stderr, json, quiet, debug, paint, notePaint } = options
  const told = (text: string) =>
    void stderr.write(`${stderr.isTTY === true ? wrap(text, stderr.columns ?? 80).join('\n') : text}\n`)
  const note = (text: string) => void (quiet || told(text))
  const waiting: string[] = []
  let log = false
  return {
    json,
    quiet,
    paint,
    notePaint,
    columns: stdout.isTTY === true ? stdout.columns : undefined,
    animate: options.animate && !quiet && !json,
    line: (text = '') => void stdout.write(`${text}\n`),
    text: (text) => void stdout.write(text),
    document: (value) => void stdout.write(`${stringifyForTerminal(value)}\n`),
    note,
    aside: (text) => void (json ? waiting.push(text) : note(text)),
    finish: () => waiting.splice(0).forEach(note),
    asLog() {
      log = true
    },
    isLog: () => log,
    warn: (text) => told(notePaint.odd(text)),
    failure(error) {
      waiting.splice(0)
      const { code, message, hint } = explain(error)
      if (json) stderr.write(`${stringifyForTerminal({ error: { code, message, hint } })}\n`)
      else told(`${notePaint.bad('error')} ${sanitizeLine(message)}\n${notePaint.dim(sanitizeLine(hint))}`)
      if (debug && error instanceof Error) stderr.write(`${error.stack ?? ''}\n`)
    },
  }
}
