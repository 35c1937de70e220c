// Reads the keys that are typed while the view is loading, so that the terminal neither echoes them nor passes them to the shell.
import type { Terminal } from '../../tui/screen.ts'

export interface EarlyInput {
  /** Returns the characters of each read so far. The view then reads the terminal itself. */
  take(): readonly string[]
  /** Restores the terminal if `take` was not called. */
  stop(): void
}

const MARK_PASTES = '\u001b[?2004h'
const LEAVE_PASTES = '\u001b[?2004l'

/** Erases the line, because the terminal has echoed what was typed before it was in raw mode. */
const ERASE_ECHO = '\r\u001b[K'

/** Further input is dropped. */
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

  stdout.write(MARK_PASTES)
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
      stdout.write(LEAVE_PASTES)
      if (stdin.isRaw) stdin.setRawMode(false)
      stdin.pause()
      stdin.unref()
    },
  }
}
