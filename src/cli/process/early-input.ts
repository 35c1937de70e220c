// Reads what is typed while the terminal view loads. Otherwise the terminal would echo it, or pass it to the shell.
import type { Terminal } from '../../tui/screen.ts'

export interface EarlyInput {
  /** Stops reading, and returns the text of each read. The view then reads the terminal itself. */
  take(): readonly string[]
  /** Restores the terminal if `take` was not called. */
  stop(): void
}

const PASTE_MARKS_ON = '\u001b[?2004h'
const PASTE_MARKS_OFF = '\u001b[?2004l'

/** Erases the line. Text that was typed before raw mode was on has been echoed there. */
const ERASE_ECHO = '\r\u001b[K'

/** Further reads are dropped. */
const MAX_READS = 100

/** @param interrupt called for Ctrl-C, which sends no signal in raw mode */
export function readEarlyInput({ stdin, stdout }: Terminal, interrupt: () => void): EarlyInput {
  const reads: string[] = []
  let isReading = true

  function onData(chunk: string): void {
    if (chunk.includes('\u0003')) interrupt()
    if (reads.length === 0) stdout.write(ERASE_ECHO)
    if (reads.length < MAX_READS) reads.push(chunk)
  }

  function end(): boolean {
    if (!isReading) return false
    isReading = false
    stdin.off('data', onData)
    return true
  }

  stdout.write(PASTE_MARKS_ON)
  stdin.setEncoding('utf8')
  stdin.setRawMode(true)
  stdin.on('data', onData)
  stdin.resume()
  return {
    take() {
      end()
      return reads.splice(0)
    },
    stop() {
      if (!end()) return
      stdout.write(PASTE_MARKS_OFF)
      if (stdin.isRaw) stdin.setRawMode(false)
      stdin.pause()
      stdin.unref()
    },
  }
}
