// Rows that a command prints while its progress is shown stay on the screen. The progress is below them, and is gone at the end.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startChanges, startStatus } from '../../../src/cli/output/progress.ts'
import type { Session } from '../../../src/cli/session.ts'

/** Everything that is written to the terminal, on stdout and on stderr. */
let written: string
let ended: AbortController
let session: Session

beforeEach(() => {
  vi.useFakeTimers()
  written = ''
  ended = new AbortController()
  session = {
    host: { stderr: { write: (text: string) => write(text), isTTY: true, columns: 80 } },
    out: { animate: true, warn: (text: string) => write(`${text}\n`) },
    signals: { ended: ended.signal },
  } as unknown as Session
})
afterEach(() => void vi.useRealTimers())

function write(text: string): boolean {
  written += text
  return true
}

interface Cursor {
  readonly row: number
  readonly column: number
}

interface Terminal extends Cursor {
  readonly saved: Cursor
  readonly wraps: boolean
  readonly hasCursor: boolean
}

/** Returns the change that a sequence makes. A sequence that clears keeps the first `length` characters of the line. */
const SEQUENCES: { readonly [sequence: string]: (now: Terminal) => Partial<Terminal> & { readonly length?: number } } =
  {
    '\r': () => ({ column: 0 }),
    '\n': ({ row }) => ({ row: row + 1, column: 0 }),
    '\u001b7': ({ row, column }) => ({ saved: { row, column } }),
    '\u001b8': ({ saved }) => saved,
    '\u001b[1G': () => ({ column: 0 }),
    '\u001b[K': ({ column }) => ({ length: column }),
    '\u001b[0K': ({ column }) => ({ length: column }),
    '\u001b[2K': () => ({ length: 0 }),
    '\u001b[?7h': () => ({ wraps: true }),
    '\u001b[?7l': () => ({ wraps: false }),
    '\u001b[?25h': () => ({ hasCursor: true }),
    '\u001b[?25l': () => ({ hasCursor: false }),
  }

/** Returns what a terminal with many lines shows, without the spaces at the end of a line and the empty lines at the end. */
function screen(): { readonly lines: readonly string[]; readonly wraps: boolean; readonly hasCursor: boolean } {
  const lines: string[] = []
  let now: Terminal = { row: 0, column: 0, saved: { row: 0, column: 0 }, wraps: true, hasCursor: true }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences of a terminal begin with one
  for (const [part] of written.matchAll(/\u001b[78]|\u001b\[\??\d*[A-Za-z]|./gsu)) {
    const sequence = SEQUENCES[part]
    const line = lines[now.row] ?? ''
    if (sequence !== undefined) {
      const { length = line.length, ...change } = sequence(now)
      lines[now.row] = line.slice(0, length)
      now = { ...now, ...change }
    } else if (part.startsWith('\u001b')) throw new Error(`unknown sequence ${JSON.stringify(part)}`)
    else {
      lines[now.row] = line.slice(0, now.column).padEnd(now.column) + part + line.slice(now.column + 1)
      now = { ...now, column: now.column + 1 }
    }
  }
  const shown = lines.map((line) => line.trimEnd())
  return {
    lines: shown.slice(0, shown.findLastIndex((line) => line !== '') + 1),
    wraps: now.wraps,
    hasCursor: now.hasCursor,
  }
}

const ROWS = Array.from({ length: 16 }, (_, at) => `evt_${at}  payment.succeeded  200`)

test('the rows that are printed above a bar stay, the bar is below the last one, and then the next output', async () => {
  const progress = await startChanges(session, 'events', ROWS.length)
  for (const [at, row] of ROWS.entries()) {
    progress.above(() => write(`${row}\n`))
    // The bar does not blink: it is drawn again at once, although it has not changed.
    expect(screen().lines.slice(-2)).toEqual([row, expect.stringMatching(`[█░]{40} ${at}/16 events`)])
    progress.update(at + 1)
    vi.advanceTimersByTime(300)
    expect(screen().lines.at(-1)).toMatch(new RegExp(`[█░]{40} ${at + 1}/16 events`))
  }
  progress.stop()
  write('4 of 16 failed.\n$ ')
  expect(screen()).toEqual({ lines: [...ROWS, '4 of 16 failed.', '$'], wraps: true, hasCursor: true })
})

test('a signal clears the bar, and its message is below the rows', async () => {
  const progress = await startChanges(session, 'events', 16)
  progress.above(() => write('one\n'))
  progress.update(1)
  vi.advanceTimersByTime(300)
  ended.abort()
  progress.above(() => write('two\n'))
  const message = 'Ended: 1 of 16 events done, and more may be in progress.'
  expect(screen()).toEqual({ lines: ['one', message, 'two'], wraps: true, hasCursor: true })
})

test('lines that are printed above a bar may wrap, and the bar does not', async () => {
  const progress = await startChanges(session, 'events', 16)
  const wrapped: boolean[] = []
  wrapped.push(screen().wraps)
  progress.above(() => wrapped.push(screen().wraps))
  wrapped.push(screen().wraps)
  progress.stop()
  expect(wrapped).toEqual([false, true, false])
})

test('the elapsed time of a status line continues after lines are printed above it', async () => {
  const status = await startStatus(session)
  status.above(() => write('before\n'))
  for (const [at, text] of ['1 story', '2 stories', '3 stories'].entries()) {
    status.show(text)
    vi.advanceTimersByTime(5000)
    expect(screen().lines.at(-1)).toBe(`${text}  ${5 * (at + 1)} s`)
    status.above(() => write(`finding ${at}\n`))
    expect(screen().lines.slice(-2)).toEqual([`finding ${at}`, `${text}  ${5 * (at + 1)} s`])
  }
  status.stop()
  expect(screen()).toEqual({
    lines: ['before', 'finding 0', 'finding 1', 'finding 2'],
    wraps: true,
    hasCursor: true,
  })
})
