// A shell in a terminal of tmux. One control client does everything, because to start a client takes processor time.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { execa, execaSync } from 'execa'
import { BIN } from './helpers.ts'

const ARTIFACTS = fileURLToPath(new URL('../artifacts/tui/', import.meta.url))

/** Long, because the machine may be busy. */
const TIMEOUT = 120_000

/** Longest pause after a key. A program that draws sooner has read the key, so the next one is not in the same read. */
const KEY_TIME = 200

/** Time for the rest of a frame whose first part was written. */
const FRAME_TIME = 10

/** Longest pause between two looks at a screen to which nothing is written. */
const LONGEST_PAUSE = 1000

export const hasTmux = (): boolean => !execaSync('tmux', ['-V'], { reject: false }).failed

/** Deletes captured screens. Each is stored as `name.txt` without and as `name.ansi` with colours. */
export function clearArtifacts(): void {
  rmSync(ARTIFACTS, { recursive: true, force: true })
  mkdirSync(ARTIFACTS, { recursive: true })
}

export interface TerminalOptions {
  readonly cwd: string
  readonly columns: number
  readonly rows: number
  readonly env?: Readonly<Record<string, string>>
}

let sockets = 0

/** Opens a shell in a terminal of this size. `$PSP` runs psp. */
export async function openTerminal({ cwd, columns, rows, env = {} }: TerminalOptions) {
  const socket = `psp-test-${process.pid}-${++sockets}`
  const settings = { PS1: '$ ', LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', PSP: BIN, ...env }
  await execa(
    'tmux',
    ['-L', socket, '-f', '/dev/null', 'new-session', '-d', '-x', `${columns}`, '-y', `${rows}`, '-c', cwd, 'sh'],
    {
      env: { PATH: process.env['PATH'] ?? '', HOME: cwd, TMPDIR: tmpdir(), TERM: 'xterm-256color', ...settings },
      extendEnv: false,
    },
  )
  const client = attach(socket)
  const tmux = client.run
  const screen = () => tmux('capture-pane', '-p')

  async function press(...args: readonly string[]): Promise<void> {
    const written = client.nextOutput()
    await tmux('send-keys', ...args)
    await Promise.race([written, pause(KEY_TIME)])
  }

  /** Returns the screen when it matches, or throws with the last screen. `key` is pressed before each read. */
  async function waitFor(wanted: RegExp, unwanted?: RegExp, key?: string): Promise<string> {
    const deadline = Date.now() + TIMEOUT
    for (;;) {
      if (key !== undefined) await press(key)
      const written = client.nextOutput()
      const text = await screen()
      if (wanted.test(text) && unwanted?.test(text) !== true) return text
      if (Date.now() > deadline)
        throw new Error(`Timed out waiting for ${wanted}${unwanted ? ` without ${unwanted}` : ''}:\n${text}`)
      if (key === undefined) await Promise.race([written, pause(LONGEST_PAUSE)])
      await pause(FRAME_TIME)
    }
  }

  return {
    screen,
    waitFor,
    /** Presses the key repeatedly, for a screen that may still grow after the first press. */
    pressUntilShown: (key: string, wanted: RegExp) => waitFor(wanted, undefined, key),
    press,
    /** Types text literally, so that names of keys in it are not pressed. */
    type: (text: string) => press('-l', text),
    async run(command: string) {
      await tmux('send-keys', '-l', command)
      await tmux('send-keys', 'Enter')
    },
    resize: async (width: number, height: number) =>
      void (await tmux('resize-window', '-x', String(width), '-y', String(height))),
    /** Queries tmux about the terminal, for example `#{alternate_on}`. */
    query: (format: string) => tmux('display-message', '-p', format),
    async capture(name: string): Promise<string> {
      const [text, coloured] = await Promise.all([screen(), tmux('capture-pane', '-p', '-e')])
      writeFileSync(`${ARTIFACTS}${name}.txt`, `${text}\n`)
      writeFileSync(`${ARTIFACTS}${name}.ansi`, `${coloured}\n`)
      return text
    },
    close: client.killServer,
  }
}

export type OpenTerminal = Awaited<ReturnType<typeof openTerminal>>

const pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms))

interface Call {
  resolve(output: string): void
  reject(error: Error): void
}

/** Attaches a client in the control mode of tmux, which reads commands from its input and reports output of the terminal. */
function attach(socket: string) {
  const child = spawn('tmux', ['-L', socket, '-C', 'attach-session'])
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const calls: Call[] = []
  const wake: (() => void)[] = []
  readResponses(child, calls, () => {
    for (const each of wake.splice(0)) each()
  })
  void ended.then(() => {
    for (const { reject } of calls.splice(0)) reject(new Error('The client of tmux has ended.'))
  })
  return {
    run(...args: readonly string[]): Promise<string> {
      return new Promise((resolve, reject) => {
        calls.push({ resolve, reject })
        child.stdin.write(`${args.map((each) => `'${each.replaceAll("'", `'\\''`)}'`).join(' ')}\n`)
      })
    },
    /** Resolves when a program writes to the terminal. */
    nextOutput: () => new Promise<void>((resolve) => void wake.push(resolve)),
    async killServer(): Promise<void> {
      child.stdin.end('kill-server\n')
      await ended
    },
  }
}

/** Resolves each call with the lines between `%begin` and `%end`. The flag 1 marks a command of this client. */
function readResponses(child: ChildProcessWithoutNullStreams, calls: Call[], onOutput: () => void): void {
  let rest = ''
  let lines: string[] | undefined
  child.stdin.on('error', () => {})
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const whole = (rest + chunk).split('\n')
    rest = whole.pop() ?? ''
    for (const line of whole) {
      if (lines === undefined) {
        if (/^%begin \d+ \d+ 1$/.test(line)) lines = []
        else if (line.startsWith('%output ')) onOutput()
      } else if (/^%(end|error) \d+ \d+ 1$/.test(line)) {
        const call = calls.shift()
        if (line.startsWith('%end')) call?.resolve(lines.join('\n'))
        else call?.reject(new Error(lines.join('\n')))
        lines = undefined
      } else lines.push(line)
    }
  })
}
