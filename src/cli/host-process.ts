// The process of the program, as an interface that tests can replace.
import path, { type PlatformPath } from 'node:path'
import { createSystemClock, type SystemClock } from '../system-clock/system-clock.ts'
import type { TextStream } from './output/output.ts'
import type { SignalSource } from './process/signals.ts'

export interface OutStream extends TextStream {
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown
}

export interface ParentProcess {
  /** Its pid when this process started. 1 is possible: process 1 of a container may be the test suite. */
  readonly first: number
  /** Returns the current parent pid, which differs from `first` after that process has ended. */
  now(): number
}

export interface HostProcess {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** The path functions of this system: `C:\\x` or `/x`. */
  readonly paths: PlatformPath
  readonly pid: number
  /** The process that started this one. Absent on Windows, which does not report its end. */
  readonly parent?: ParentProcess
  readonly stdin: AsyncIterable<Uint8Array>
  readonly stdout: OutStream
  readonly stderr: OutStream
  readonly signals: SignalSource
  /** Present if both stdin and stdout are terminals. */
  readonly terminal?: { readonly stdin: NodeJS.ReadStream; readonly stdout: NodeJS.WriteStream } | undefined
  readonly systemClock: SystemClock
  /** See `ServerOptions`. */
  readonly ownsProcess: boolean
  /** Ends the process at once, for the second signal. */
  exit(code: number): void
}

export function nodeHost(startedBy: number): HostProcess {
  return {
    env: process.env,
    cwd: process.cwd(),
    paths: path,
    pid: process.pid,
    ...(process.platform === 'win32' ? {} : { parent: { first: startedBy, now: () => process.ppid } }),
    // A getter, because an open stdin would keep the process alive.
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
    systemClock: createSystemClock(),
    ownsProcess: true,
    exit: (code) => process.exit(code),
  }
}

/** Returns how the user runs psp. npx and npm scripts find it in the project, which is not in the PATH of the shell. */
export function invocationName({ env }: Pick<HostProcess, 'env'>): 'psp' | 'npx psp' {
  return env['npm_command'] === undefined ? 'psp' : 'npx psp'
}
