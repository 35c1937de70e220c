// Writes frames to the terminal: of each only the lines that changed, each at its own place, in one piece.
import { EventEmitter } from 'node:events'
import type { Size } from './state/state.ts'

export interface DiffWriter {
  /** What Ink takes for its stdout: every write is a whole frame. */
  readonly stream: NodeJS.WriteStream
  resize(size: Size): void
  /** The next frame is written whole. */
  invalidate(): void
  close(): void
}

const BEGIN = '\u001b[?2026h'
const END = '\u001b[?2026l'
const CLEAR = '\u001b[2J'

export function createDiffWriter(write: (text: string) => void, first: Size): DiffWriter {
  let size = first
  let shown: readonly string[] | undefined
  let closed = false

  function paint(frame: string): void {
    if (closed) return
    const lines = frame.split('\n').slice(0, size.rows)
    const changes = lines.flatMap((line, row) => (shown?.[row] === line ? [] : [at(row, line)]))
    // A frame of fewer lines than the one before.
    for (let row = lines.length; row < (shown?.length ?? 0); row++) changes.push(at(row, ''))
    if (changes.length === 0 && shown !== undefined) return
    write(`${BEGIN}${shown === undefined ? CLEAR : ''}${changes.join('')}${END}`)
    shown = lines
  }

  const sink = Object.assign(new EventEmitter(), {
    write(frame: string) {
      paint(frame)
      return true
    },
    isTTY: false,
  })
  Object.defineProperty(sink, 'columns', { get: () => size.columns })
  Object.defineProperty(sink, 'rows', { get: () => size.rows })

  return {
    stream: sink as unknown as NodeJS.WriteStream,
    resize(next) {
      size = next
      shown = undefined
    },
    invalidate() {
      shown = undefined
    },
    close() {
      closed = true
    },
  }
}

/** Erased first: a wide character that was cut by the edge may stand there. */
function at(row: number, line: string): string {
  return `\u001b[${row + 1};1H\u001b[2K${line}\u001b[0m`
}
