// The screen of the view: when a frame is drawn, which lines are written, and how the main screen is restored.
import { EventEmitter } from 'node:events'
import type { SystemClock } from '../system-clock/system-clock.ts'
import type { Size } from './state/state.ts'

/** Writes only the lines of a frame that differ from the previous frame. */
interface DiffWriter {
  /** The stream that Ink uses as stdout. Each write must be a whole frame. */
  readonly stream: NodeJS.WriteStream
  resize(size: Size): void
  /** Writes nothing until `resume`, because another program has the terminal. */
  suspend(): void
  /** Repaints the whole screen with the next write. */
  resume(): void
  close(): void
}

/** Between these, the terminal shows no intermediate state. */
const BEGIN_UPDATE = '\u001b[?2026h'
const END_UPDATE = '\u001b[?2026l'
const CLEAR_SCREEN = '\u001b[2J'

export function createDiffWriter(write: (text: string) => void, initialSize: Size): DiffWriter {
  let size = initialSize
  let lastLines: readonly string[] | undefined
  let closed = false
  let suspended = false

  function writeFrame(frame: string): void {
    if (closed || suspended) return
    const lines = frame.split('\n').slice(0, size.rows)
    const changes = lines.flatMap((line, row) => (lastLines?.[row] === line ? [] : [eraseAndWrite(row, line)]))
    // Erase lines of the previous frame below the new one.
    for (let row = lines.length; row < (lastLines?.length ?? 0); row++) changes.push(eraseAndWrite(row, ''))
    if (changes.length === 0 && lastLines !== undefined) return
    write(`${BEGIN_UPDATE}${lastLines === undefined ? CLEAR_SCREEN : ''}${changes.join('')}${END_UPDATE}`)
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
    suspend() {
      suspended = true
    },
    resume() {
      suspended = false
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

/** Stdin and stdout must be the same terminal. */
export interface Terminal {
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
}

interface Screen {
  /** Gives the main screen to another program until `resume`. */
  suspend(): void
  resume(mouse: boolean): void
  /** Switches back to the main screen. Further calls do nothing. */
  leave(): void
}

/** Turns reports of clicks and the wheel on or off. Their format (1006) allows any number of columns. */
export function mouseReports(on: boolean): string {
  const final = on ? 'h' : 'l'
  return `\u001b[?1000${final}\u001b[?1006${final}`
}

// 2004 makes the terminal mark pasted text, and `$p` asks whether it supports that. A terminal that does not know the
// question may print it, so the first frame clears the screen.
const ENTER = '\u001b[?1049h\u001b[?25l\u001b[?2004h\u001b[?2004$p\u001b[H'
// The alternate screen is cleared first. Otherwise tmux copies its lines to the main screen if the window grew.
const LEAVE = '\u001b[?2026l\u001b[?2004l\u001b[0m\u001b[H\u001b[2J\u001b[?25h\u001b[?1049l'

/** @param onExit registers a callback for an unexpected end of the process, and returns its removal */
export function enterScreen({ stdin, stdout }: Terminal, onExit: (leave: () => void) => () => void): Screen {
  let entered = false
  const enter = (mouse: boolean) => {
    entered = true
    stdout.write(ENTER + mouseReports(mouse))
  }
  const suspend = () => {
    if (!entered) return
    entered = false
    if (stdin.isRaw) stdin.setRawMode(false)
    stdout.write(mouseReports(false) + LEAVE)
  }
  enter(true)
  const unregister = onExit(suspend)
  return {
    suspend,
    resume: enter,
    leave() {
      unregister()
      suspend()
    },
  }
}

interface FrameScheduler {
  /** @param immediately draws the frame now, because it shows the effect of a key */
  request(immediately?: boolean): void
  stop(): void
}

/** Minimum ms between two frames that no key requested. */
const FRAME_INTERVAL = 100

/** The maximum share of the time that is spent on drawing. */
const MAX_LOAD = 1 / 10

export function createFrameScheduler(
  draw: () => void,
  systemClock: Pick<SystemClock, 'monotonic' | 'setTimeout'>,
): FrameScheduler {
  let timer: { cancel(): void } | undefined
  let drawnAt = Number.NEGATIVE_INFINITY
  let pause = FRAME_INTERVAL
  let stopped = false

  function drawNow(): void {
    timer?.cancel()
    timer = undefined
    if (stopped) return
    const startedAt = systemClock.monotonic()
    draw()
    drawnAt = systemClock.monotonic()
    pause = Math.max(FRAME_INTERVAL, (drawnAt - startedAt) / MAX_LOAD)
  }

  return {
    request(immediately = false) {
      if (immediately) drawNow()
      else timer ??= systemClock.setTimeout(drawNow, Math.max(0, drawnAt + pause - systemClock.monotonic()))
    },
    stop() {
      stopped = true
      timer?.cancel()
    },
  }
}
