// A real terminal for tests of the view: tmux, controlled by keys and read as text.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { execa, execaSync } from 'execa'

const BIN = fileURLToPath(new URL('../../bin/psp.js', import.meta.url))
const ARTIFACTS = fileURLToPath(new URL('../artifacts/tui/', import.meta.url))

/** Long, because the machine may be busy. */
const TIMEOUT = 120_000
const POLL_INTERVAL = 50

export const hasTmux = execaSync('tmux', ['-V'], { reject: false }).failed === false

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
  const tmux = async (...args: readonly string[]) => (await execa('tmux', ['-L', socket, ...args])).stdout
  const settings = { PS1: '$ ', LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', PSP: `${process.execPath} ${BIN}`, ...env }
  await execa(
    'tmux',
    ['-L', socket, '-f', '/dev/null', 'new-session', '-d', '-x', `${columns}`, '-y', `${rows}`, '-c', cwd, 'sh'],
    {
      env: { PATH: process.env['PATH'] ?? '', HOME: cwd, TMPDIR: tmpdir(), TERM: 'xterm-256color', ...settings },
      extendEnv: false,
    },
  )

  const screen = () => tmux('capture-pane', '-p')

  /** Returns the screen when it matches, or throws with the last screen. `key` is pressed before each read. */
  async function waitFor(wanted: RegExp, unwanted?: RegExp, key?: string): Promise<string> {
    const deadline = Date.now() + TIMEOUT
    for (;;) {
      if (key !== undefined) await tmux('send-keys', key)
      const text = await screen()
      if (wanted.test(text) && unwanted?.test(text) !== true) return text
      if (Date.now() > deadline)
        throw new Error(`Timed out waiting for ${wanted}${unwanted ? ` without ${unwanted}` : ''}:\n${text}`)
      await new Promise<void>((resolve) => void setTimeout(resolve, POLL_INTERVAL))
    }
  }

  return {
    screen,
    waitFor,
    /** Presses the key repeatedly, for a screen that may still grow after the first press. */
    pressUntilShown: (key: string, wanted: RegExp) => waitFor(wanted, undefined, key),
    press: async (...keys: readonly string[]) => void (await tmux('send-keys', ...keys)),
    /** Types text literally, so that names of keys in it are not pressed. */
    type: async (text: string) => void (await tmux('send-keys', '-l', text)),
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
    close: () => execa('tmux', ['-L', socket, 'kill-server'], { reject: false }),
  }
}

export type OpenTerminal = Awaited<ReturnType<typeof openTerminal>>
