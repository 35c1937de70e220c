// The process of the program, as an interface that tests can replace.
import path, { type PlatformPath } from 'node:path'
import { createSystemClock, type SystemClock } from '../system-clock/system-clock.ts'
import type { TextStream } from './output/output.ts'
import type { SignalSource } from './process/signals.ts'

export interface OutStream extends TextStream {
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown
}

export interface ParentProcess {
  /** The parent's pid when this process started. It can be 1: in a container, process 1 may be the test suite. */
  readonly first: number
  /** Returns the pid of the current parent. After the first parent has ended, it differs from `first`. */
  now(): number
}

export interface HostProcess {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** The path functions of this system: `C:\\x` or `/x`. */
  readonly paths: PlatformPath
  readonly pid: number
  /** The process that started this one. Absent on Windows, which does not report that a parent has ended. */
  readonly parent?: ParentProcess
  readonly stdin: AsyncIterable<Uint8Array>
  readonly stdout: OutStream
  readonly stderr: OutStream
  readonly signals: SignalSource
  /** Present if both stdin and stdout are terminals. */
  readonly terminal?: { readonly stdin: NodeJS.ReadStream; readonly stdout: NodeJS.WriteStream } | undefined
  readonly systemClock: SystemClock
  /** Whether a server may replace globals of the process: `replaceGlobals` of `ServerOptions`. */
  readonly ownsProcess: boolean
  /** Ends the process at once. */
  exit(code: number): void
}

/** @param startedBy the parent pid at the start of this process */
export function nodeHost(startedBy: number): HostProcess {
  return {
    env: process.env,
    cwd: process.cwd(),
    paths: path,
    pid: process.pid,
    ...(process.platform === 'win32' ? {} : { parent: { first: startedBy, now: () => process.ppid } }),
    // A getter, because the first access to `process.stdin` opens it, and an open stdin can keep the process alive.
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

/** The command that runs psp in the user's shell. */
export type InvocationName = 'psp' | 'npx psp'

/** npx and npm scripts find the psp of the project, but the user's shell may not. */
export function invocationName({ env }: Pick<HostProcess, 'env'>): InvocationName {
  return env['npm_command'] === undefined ? 'psp' : 'npx psp'
}
