// The process around the program, so that tests can put another one around it.
import path, { type PlatformPath } from 'node:path'
import { systemWall, type WallClock } from '../time/wall.ts'
import type { TextStream } from './output/output.ts'
import type { SignalSource } from './process/signals.ts'

export interface OutStream extends TextStream {
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown
}

export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** How this system writes paths: `C:\\x` or `/x`. */
  readonly paths: PlatformPath
  readonly pid: number
  /** The process that started this one, now: another number where it has ended. Absent on Windows, which does not say. */
  parent?(): number
  readonly stdin: AsyncIterable<Uint8Array>
  readonly stdout: OutStream
  readonly stderr: OutStream
  readonly signals: SignalSource
  /** Where both stdin and stdout are one. */
  readonly terminal?: { readonly stdin: NodeJS.ReadStream; readonly stdout: NodeJS.WriteStream } | undefined
  readonly wall: WallClock
  /** See `ServerOptions`. */
  readonly ownsProcess: boolean
  /** Ends the process whatever waits; for the second signal only. */
  exit(code: number): void
}

export function nodeHost(): Host {
  return {
    env: process.env,
    cwd: process.cwd(),
    paths: path,
    pid: process.pid,
    ...(process.platform === 'win32' ? {} : { parent: () => process.ppid }),
    // Read only when a command asks for it: an open stdin would keep the process.
    get stdin() {
      return process.stdin
    },
    stdout: process.stdout,
    stderr: process.stderr,
    get terminal() {
      const { stdin, stdout } = process
      return stdin.isTTY && stdout.isTTY ? { stdin, stdout } : undefined
    },
    signals: process,
    wall: systemWall(),
    ownsProcess: true,
    exit: (code) => process.exit(code),
  }
}
