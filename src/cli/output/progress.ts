// Progress on stderr, if it is a terminal.

import type { Options, SingleBar } from 'cli-progress'
import { groupDigits } from '../../domain/count-text.ts'
import { displayWidth, truncate } from '../../terminal/text-width.ts'
import type { Session } from '../session.ts'
import type { TextStream } from './output.ts'
import { terminalColumns } from './terminal-width.ts'

type Fields = { readonly [name: string]: string }

export interface Progress {
  update(done: number, fields?: Fields): void
  stop(): void
}

/** A bar above which a command prints lines. */
export interface Bar extends Progress {
  /** Clears the line of the bar, calls `print`, and draws the bar again below the printed lines. */
  above(print: () => void): void
}

const NO_PROGRESS: Bar = { update() {}, above: (print) => print(), stop() {} }

/** Moves the cursor to the start of the line and clears the line. */
const CLEAR_LINE = '\r\u001b[K'

/** Printed lines may be longer than the terminal is wide. A bar may not, so it turns wrapping off. */
const WRAP_ON = '\u001b[?7h'
const WRAP_OFF = '\u001b[?7l'

/** The sequences with which cli-progress saves and restores the cursor position. */
const SAVE_AND_RESTORE: readonly unknown[] = ['\u001b7', '\u001b8']

/** Starts a bar from 0 to `total` that shows the remaining time. */
export async function startProgress(session: Session, what: string, total: number): Promise<Bar> {
  if (!session.out.animate || total < 2) return NO_PROGRESS
  return await start(session, { format: `{bar} {value}/{total} ${what}  {eta} s left` }, total)
}

/** Shows the number that is done and the elapsed time, for work whose total is unknown. */
export async function startCount(session: Session, what: string): Promise<Progress> {
  if (!session.out.animate) return NO_PROGRESS
  return await start(session, { format: `{value} ${what}  {duration} s` }, Number.MAX_SAFE_INTEGER)
}

export interface StatusLine extends Pick<Bar, 'above' | 'stop'> {
  /**
   * Shows the first text that fits in the terminal.
   * @param texts the longest first. If none fits, the last one is truncated.
   */
  show(...texts: readonly string[]): void
}

/** The width of the elapsed time: two spaces and `9999 s`. */
const ELAPSED_WIDTH = 8

/** Shows a line of text that changes, and the elapsed time. */
export async function startStatus(session: Session): Promise<StatusLine> {
  if (!session.out.animate) return { show() {}, above: (print) => print(), stop() {} }
  const begin = await createBar(session, { format: '{text}  {duration} s' }, 1)
  let shown: Bar | undefined
  return {
    show(...texts) {
      const columns = terminalColumns(session.host.stderr) - ELAPSED_WIDTH
      const text = texts.find((one) => displayWidth(one) <= columns) ?? truncate(texts.at(-1) ?? '', columns)
      shown ??= begin({ text })
      shown.update(0, { text })
    },
    above(print) {
      if (shown === undefined) print()
      else shown.above(print)
    },
    stop: () => shown?.stop(),
  }
}

/** Starts a bar for a number of changes. At a signal, it prints at once how many of them are done. */
export async function startChanges(session: Session, what: string, total: number): Promise<Bar> {
  const progress = await startProgress(session, what, total)
  const { out, signals } = session
  let done = 0
  const ended = () => out.warn(`Ended: ${done} of ${total} ${what} done, and more may be in progress.`)
  signals.ended.addEventListener('abort', ended, { once: true })
  return {
    update(now) {
      done = now
      progress.update(now)
    },
    above: progress.above,
    stop() {
      signals.ended.removeEventListener('abort', ended)
      progress.stop()
    },
  }
}

/** Shows the elapsed time of work whose progress is unknown. */
export async function whileWorking<T>(session: Session, what: string, work: () => Promise<T>): Promise<T> {
  const shown = session.out.animate ? await start(session, { format: `${what}  {duration} s` }, 1) : NO_PROGRESS
  try {
    return await work()
  } finally {
    shown.stop()
  }
}

async function start(session: Session, options: Options, total: number): Promise<Bar> {
  return (await createBar(session, options, total))({})
}

/** Returns a function that starts the bar. */
async function createBar({ host, signals }: Session, options: Options, total: number) {
  const { default: bars } = await import('cli-progress')
  const bar: SingleBar = new bars.SingleBar(
    {
      ...options,
      stream: withoutCursorRestore(host.stderr),
      hideCursor: true,
      clearOnComplete: true,
      // `above` clears a bar that has not changed. By default, only a changed bar is drawn.
      forceRedraw: true,
      formatValue: (value, _, type) => (type === 'value' || type === 'total' ? groupDigits(value, ' ') : String(value)),
    },
    bars.Presets.shades_classic,
  )
  const stop = () => bar.stop()
  return (fields: Fields): Bar => {
    // A signal stops the bar at once: the cursor is restored, and the timer of the bar does not keep the process alive.
    signals.ended.addEventListener('abort', stop, { once: true })
    bar.start(total, 0, fields)
    return {
      update: (done, changed = {}) => bar.update(Math.min(done, total), changed),
      above(print) {
        if (!bar.isActive) return print()
        host.stderr.write(`${CLEAR_LINE}${WRAP_ON}`)
        print()
        host.stderr.write(WRAP_OFF)
        bar.render()
      },
      stop() {
        signals.ended.removeEventListener('abort', stop)
        stop()
      },
    }
  }
}

/**
 * cli-progress saves the cursor position at the start and restores it at the end. Lines that are printed in between
 * move the bar down, so that position would be wrong. The bar is always in the line of the cursor.
 */
function withoutCursorRestore(stderr: TextStream): NodeJS.WritableStream {
  const stream = {
    get isTTY() {
      return stderr.isTTY
    },
    get columns() {
      return terminalColumns(stderr)
    },
    write: (text: string) => SAVE_AND_RESTORE.includes(text) || stderr.write(text),
  }
  // cli-progress uses only these members.
  return stream as unknown as NodeJS.WritableStream
}
