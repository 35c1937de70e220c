// The terminal while the view is open: the screen, the keys, and lending the terminal to another program.
import type { SystemClock } from '../system-clock/system-clock.ts'
import type { Input } from './keys/input-parser.ts'
import { readInput } from './keys/read-input.ts'
import { createDiffWriter, enterScreen, type Terminal } from './screen.ts'
import type { Size } from './state/state.ts'

export interface TerminalSession {
  /** The stream that Ink uses as stdout. */
  readonly stream: NodeJS.WriteStream
  resize(size: Size): void
  /** Lets a program use the terminal until it ends. Then the view continues, unless `signal` is aborted. */
  lendTo<T>(program: () => Promise<T>, signal: AbortSignal, wantsMouse: () => boolean): Promise<T>
  close(): void
}

interface Options {
  readonly terminal: Terminal
  readonly onInput: (inputs: readonly Input[]) => void
  readonly onExit: (leave: () => void) => () => void
  readonly systemClock: Pick<SystemClock, 'setTimeout'>
  /** The input from before the view opened: the characters of each read. */
  readonly earlyInput: readonly string[]
}

export function openTerminalSession({ terminal, onInput, onExit, systemClock, earlyInput }: Options): TerminalSession {
  const { stdin, stdout } = terminal
  const screen = enterScreen(terminal, onExit)
  const writer = createDiffWriter((text) => void stdout.write(text), sizeOf(terminal))
  let stopReading = readInput(stdin, onInput, systemClock, earlyInput)

  return {
    stream: writer.stream,
    resize: writer.resize,
    async lendTo(program, signal, wantsMouse) {
      stopReading()
      writer.suspend()
      screen.suspend()
      try {
        return await program()
      } finally {
        if (!signal.aborted) {
          screen.resume(wantsMouse())
          writer.resume()
          stopReading = readInput(stdin, onInput, systemClock)
        }
      }
    },
    close() {
      stopReading()
      writer.close()
      screen.leave()
    },
  }
}

export function sizeOf({ stdout }: Terminal): Size {
  return { columns: stdout.columns || 80, rows: stdout.rows || 24 }
}
