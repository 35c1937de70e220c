// A real terminal to run the view in: tmux, driven by keys, read as text.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { execa, execaSync } from 'execa'

const BIN = fileURLToPath(new URL('../../bin/psp.js', import.meta.url))
const ARTIFACTS = fileURLToPath(new URL('../artifacts/tui/', import.meta.url))

/** Generous: the machine may have other work. */
const DEADLINE = 120_000
const LOOK_AGAIN = 50

export const hasTmux = execaSync('tmux', ['-V'], { reject: false }).failed === false

/** Screens are kept: `name.txt` as text, `name.ansi` with colours. */
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

/** A shell in a terminal of this size, with `psp` in it. */
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

  /** The screen once it fits; else the test fails with what is to be seen. `again` is pressed before each look. */
  async function shows(wanted: RegExp, unwanted?: RegExp, again?: string): Promise<string> {
    const until = Date.now() + DEADLINE
    for (;;) {
      if (again !== undefined) await tmux('send-keys', again)
      const text = await screen()
      if (wanted.test(text) && unwanted?.test(text) !== true) return text
      if (Date.now() > until)
        throw new Error(`Waited in vain for ${wanted}${unwanted ? ` without ${unwanted}` : ''}:\n${text}`)
      await new Promise<void>((resolve) => void setTimeout(resolve, LOOK_AGAIN))
    }
  }

  return {
    screen,
    shows,
    /** For what may grow after the key was pressed: the end of a list that is still read. */
    pressedShows: (key: string, wanted: RegExp) => shows(wanted, undefined, key),
    keys: async (...keys: readonly string[]) => void (await tmux('send-keys', ...keys)),
    /** Text as it is typed: names of keys are no keys in it. */
    types: async (text: string) => void (await tmux('send-keys', '-l', text)),
    async runs(command: string) {
      await tmux('send-keys', '-l', command)
      await tmux('send-keys', 'Enter')
    },
    resize: async (width: number, height: number) =>
      void (await tmux('resize-window', '-x', String(width), '-y', String(height))),
    /** What is on the screen where a program has not taken it over: `#{alternate_on}` and the like. */
    asks: (format: string) => tmux('display-message', '-p', format),
    async keep(name: string): Promise<string> {
      const [text, coloured] = await Promise.all([screen(), tmux('capture-pane', '-p', '-e')])
      writeFileSync(`${ARTIFACTS}${name}.txt`, `${text}\n`)
      writeFileSync(`${ARTIFACTS}${name}.ansi`, `${coloured}\n`)
      return text
    },
    close: () => execa('tmux', ['-L', socket, 'kill-server'], { reject: false }),
  }
}

export type OpenTerminal = Awaited<ReturnType<typeof openTerminal>>
