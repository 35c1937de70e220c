// Writes frames to the terminal, only the lines that changed, in a single write.
import { EventEmitter } from 'node:events'
import type { Size } from './state/state.ts'

export interface DiffWriter {
  /** The stdout of Ink. Each write must be a whole frame. */
  readonly stream: NodeJS.WriteStream
  resize(size: Size): void
  /** Makes the next write repaint the whole screen. */
  invalidate(): void
  close(): void
}

const BEGIN = '\u001b[?2026h'
const END = '\u001b[?2026l'
const CLEAR = '\u001b[2J'

export function createDiffWriter(write: (text: string) => void, initialSize: Size): DiffWriter {
  let size = initialSize
  let lastLines: readonly string[] | undefined
  let closed = false

  function writeFrame(frame: string): void {
    if (closed) return
    const lines = frame.split('\n').slice(0, size.rows)
    const changes = lines.flatMap((line, row) => (lastLines?.[row] === line ? [] : [eraseAndWrite(row, line)]))
    // Erase lines of the previous frame below the new one.
    for (let row = lines.length; row < (lastLines?.length ?? 0); row++) changes.push(eraseAndWrite(row, ''))
    if (changes.length === 0 && lastLines !== undefined) return
    write(`${BEGIN}${lastLines === undefined ? CLEAR : ''}${changes.join('')}${END}`)
    lastLines = lines
  }

  const sink = Object.assign(new EventEmitter(), {
    write(frame: string) {
      writeFrame(frame)
      return true
    },
    isTTY: false,
  })
  Object.defineProperty(sink, 'columns', { get: () => size.columns })
  Object.defineProperty(sink, 'rows', { get: () => size.rows })

  return {
    stream: sink as unknown as NodeJS.WriteStream,
    resize(newSize) {
      size = newSize
      lastLines = undefined
    },
    invalidate() {
      lastLines = undefined
    },
    close() {
      closed = true
    },
  }
}

/** The line is erased first, because half of a wide character may remain at the edge. */
function eraseAndWrite(row: number, line: string): string {
  return `\u001b[${row + 1};1H\u001b[2K${line}\u001b[0m`
}
