// The program in this process, with a host of its own: nothing is printed, nothing ends the test run.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path, { join } from 'node:path'
import type { Host } from '../../src/cli/host.ts'
import type { SignalName } from '../../src/cli/process/signals.ts'
import { runProgram } from '../../src/cli/program.ts'
import { createSystemClock, type SystemClock } from '../../src/system-clock/system-clock.ts'

export interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface RigOptions {
  readonly env?: Record<string, string>
  readonly cwd?: string
  readonly stdin?: string | Uint8Array
  readonly terminal?: boolean
  readonly systemClock?: SystemClock
  /** Of the terminal; default 100. */
  readonly columns?: number
  /** The process that started the program; default: the system does not say. */
  readonly parent?: () => number
}

export interface Running {
  /** Resolves at its end. */
  readonly ended: Promise<Ran>
  /** Also before the program listens: it gets it then. */
  signal(name: SignalName): void
  /** Stdout cannot be written from now on: nobody reads it (EPIPE), or the disk is full (ENOSPC). */
  lose(code: 'EPIPE' | 'ENOSPC'): void
  /** What came on stdout so far. */
  output(): string
  errors(): string
  /** Exit codes asked for at once, by a second signal. */
  readonly exits: readonly number[]
}

export function start(argv: readonly string[], options: RigOptions = {}): Running {
  const out: string[] = []
  const err: string[] = []
  const exits: number[] = []
  const listeners: { name: SignalName | 'SIGBREAK'; listener: () => void }[] = []
  const early: SignalName[] = []
  const stream = (into: string[]) => ({
    write: (text: string) => into.push(text) > 0,
    isTTY: options.terminal === true,
    columns: options.columns ?? 100,
    on: () => {},
  })
  const unwritten: ((error: NodeJS.ErrnoException) => void)[] = []
  const host: Host = {
    env: options.env ?? {},
    // A folder of its own: what a command leaves there would be found from every folder below.
    cwd: options.cwd ?? mkdtempSync(join(tmpdir(), 'psp-cli-')),
    paths: path,
    pid: process.pid,
    ...(options.parent === undefined ? {} : { parent: { first: options.parent(), now: options.parent } }),
    stdin: chunksOf(options.stdin ?? ''),
    stdout: { ...stream(out), on: (_, listener) => unwritten.push(listener) },
    stderr: stream(err),
    signals: {
      on(name, listener) {
        listeners.push({ name, listener })
        if (early.some((sent) => sent === name)) setImmediate(listener)
      },
      off: (name, listener) => {
        const at = listeners.findIndex((one) => one.name === name && one.listener === listener)
        if (at >= 0) listeners.splice(at, 1)
      },
    },
    systemClock: options.systemClock ?? createSystemClock(),
    ownsProcess: false,
    exit: (code) => void exits.push(code),
  }
  const ended = runProgram(argv, host).then((code) => ({ code, stdout: out.join(''), stderr: err.join('') }))
  return {
    ended,
    signal(name) {
      if (listeners.length === 0) early.push(name)
      for (const one of [...listeners]) if (one.name === name) one.listener()
    },
    lose(code) {
      for (const listener of unwritten) listener(Object.assign(new Error(`write ${code}`), { code }))
    },
    output: () => out.join(''),
    errors: () => err.join(''),
    exits,
  }
}

/** `psp payments create --amount 100` in words; quotes are not understood. */
export async function psp(line: string | readonly string[], options: RigOptions = {}): Promise<Ran> {
  const argv = typeof line === 'string' ? line.split(' ').filter((word) => word !== '') : line
  return await start(argv, options).ended
}

export function json(ran: Ran): unknown {
  return JSON.parse(ran.stdout)
}

/** Resolves once `look` gives something; a test that waits in vain ends by its own timeout. */
export async function until<T>(look: () => T | undefined | false): Promise<T> {
  for (;;) {
    const found = look()
    if (found !== undefined && found !== false) return found
    await new Promise<void>((resolve) => void setTimeout(resolve, 2))
  }
}

export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'psp-cli-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

async function* chunksOf(input: string | Uint8Array): AsyncGenerator<Uint8Array> {
  if (input.length > 0) yield typeof input === 'string' ? Buffer.from(input) : input
}
