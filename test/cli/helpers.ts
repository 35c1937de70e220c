// Runs the program, a server and receivers in this process, so nothing is printed and no command ends the test run.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path, { join } from 'node:path'
import { type Command, type Group, isGroup } from '../../src/cli/command.ts'
import { COMMANDS } from '../../src/cli/commands/index.ts'
import type { HostProcess } from '../../src/cli/host-process.ts'
import type { SignalName } from '../../src/cli/process/signals.ts'
import { runProgram } from '../../src/cli/program.ts'
import { startServer } from '../../src/node/server.ts'
import { assembleSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox.ts'
import { createSystemClock, type SystemClock } from '../../src/system-clock/system-clock.ts'

export interface RunResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly env?: Record<string, string>
  readonly cwd?: string
  readonly stdin?: string | Uint8Array
  readonly terminal?: boolean
  readonly systemClock?: SystemClock
  /** The width of the terminal. Default: 100. */
  readonly columns?: number
  /** Returns the id of the parent process. Default: the system does not report it. */
  readonly parent?: () => number
}

export interface RunningPsp {
  /** Resolves when the program ends. */
  readonly ended: Promise<RunResult>
  /** Sends a signal. A signal before the program listens is delivered once it does. */
  signal(name: SignalName): void
  /** Makes stdout fail: its reader has closed the pipe (EPIPE), or the disk is full (ENOSPC). */
  failStdout(code: 'EPIPE' | 'ENOSPC'): void
  /** Returns the text on stdout so far. */
  output(): string
  errors(): string
  /** The codes of immediate exits, which a second signal causes. */
  readonly exits: readonly number[]
}

export function startPsp(argv: readonly string[], options: RunOptions = {}): RunningPsp {
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
  const host: HostProcess = {
    env: options.env ?? {},
    // A separate directory, because commands in subdirectories would find data that a command leaves here.
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
    failStdout(code) {
      for (const listener of unwritten) listener(Object.assign(new Error(`write ${code}`), { code }))
    },
    output: () => out.join(''),
    errors: () => err.join(''),
    exits,
  }
}

/** Runs a command to its end. A string is split at spaces, without quotes. */
export async function psp(line: string | readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const argv = typeof line === 'string' ? line.split(' ').filter((word) => word !== '') : line
  return await startPsp(argv, options).ended
}

export function jsonOf(ran: RunResult): unknown {
  return JSON.parse(ran.stdout)
}

/** Resolves with the first value that `look` returns. If there is none, the timeout of the test applies. */
export async function waitUntil<T>(look: () => T | undefined | false): Promise<T> {
  for (;;) {
    const found = look()
    if (found !== undefined && found !== false) return found
    await new Promise<void>((resolve) => void setTimeout(resolve, 2))
  }
}

export function createTestDir(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'psp-cli-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

async function* chunksOf(input: string | Uint8Array): AsyncGenerator<Uint8Array> {
  if (input.length > 0) yield typeof input === 'string' ? Buffer.from(input) : input
}

/** A sandbox in this process with an HTTP server, for commands. */
export interface TestServer {
  readonly sandbox: Sandbox
  readonly url: string
  /** Runs a command with the URL of this server. */
  psp(line: string | readonly string[], options?: RunOptions): Promise<RunResult>
  startPsp(argv: readonly string[], options?: RunOptions): RunningPsp
  close(): Promise<void>
}

export async function startTestServer(
  options: SandboxOptions = {},
  {
    host = '127.0.0.1',
    systemClock = createSystemClock(),
  }: { readonly host?: string; readonly systemClock?: SystemClock } = {},
): Promise<TestServer> {
  const sandbox = await assembleSandbox({ clock: { mode: 'frozen' }, ...options, systemClock })
  const server = await startServer(sandbox, { port: 0, host, systemClock })
  sandbox.setBaseUrl(server.url)
  const withUrl = (given: RunOptions = {}) => ({ ...given, env: { PSP_URL: server.url, ...given.env } })
  return {
    sandbox,
    url: server.url,
    psp: (line, given) => psp(line, withUrl(given)),
    startPsp: (argv, given) => startPsp(argv, withUrl(given)),
    async close() {
      await server.close({ grace_ms: 0 })
      await sandbox.close({ grace_ms: 0 })
    },
  }
}

export interface TestReceiver {
  readonly port: number
  readonly bodies: readonly Buffer[]
  readonly headers: readonly NodeJS.Dict<string | string[]>[]
  response: { status: number; body?: string | Buffer; headers?: Record<string, string>; silent?: boolean }
  close(): Promise<void>
}

export async function startReceiver(): Promise<TestReceiver> {
  const bodies: Buffer[] = []
  const headers: NodeJS.Dict<string | string[]>[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    bodies.push(Buffer.concat(chunks))
    headers.push(request.headers)
    if (receiver.response.silent !== true)
      response.writeHead(receiver.response.status, receiver.response.headers).end(receiver.response.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const receiver: TestReceiver = {
    port: (server.address() as AddressInfo).port,
    bodies,
    headers,
    response: { status: 200 },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return receiver
}

/** Starts `psp listen` and waits until it is ready. */
export async function startListener(server: TestServer, ...flags: readonly string[]) {
  const running = server.startPsp(['listen', ...flags])
  await waitUntil(() => running.errors().includes('Ready.') || running.output().includes('"ready"'))
  return running
}

const servers: (() => void)[] = []

/** Serves a handler until `closeHandlers`, and returns its address. */
export async function serveHandler(handler: RequestListener): Promise<string> {
  const server = createServer(handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  servers.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export function closeHandlers(): void {
  for (const close of servers.splice(0)) close()
}

export interface NamedCommand {
  /** The words after `psp`. */
  readonly path: string
  readonly command: Command
}

export function everyCommand(group: Group = COMMANDS, path: readonly string[] = []): readonly NamedCommand[] {
  const bare = group.defaultCommand === undefined ? [] : [{ path: path.join(' '), command: group.defaultCommand }]
  const inner = group.commands.flatMap((entry) => {
    const whole = [...path, entry.name]
    return isGroup(entry) ? everyCommand(entry, whole) : [{ path: whole.join(' '), command: entry }]
  })
  return [...bare, ...inner]
}

/** Returns each command path that has a help text. */
export function everyHelp(group: Group = COMMANDS, path: readonly string[] = []): readonly string[] {
  return [
    path.join(' '),
    ...group.commands.flatMap((entry) =>
      isGroup(entry) ? everyHelp(entry, [...path, entry.name]) : [[...path, entry.name].join(' ')],
    ),
  ]
}

/** Returns whether a process exists. A killed one disappears once its parent has read its exit status. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
