// The Tab key in real shells. Each line is typed, completed and printed by `echo` instead of being run.
// zsh takes a Tab before more input for pasted text, so `insert-tab` is off.

import { execFileSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BIN, createWorkspace } from './helpers.ts'

const TAB = '\t'
const ECHO_INSTEAD = '\u0001echo \r'

let workspace: ReturnType<typeof createWorkspace>

beforeAll(() => {
  workspace = createWorkspace()
  writeFileSync(join(workspace.cwd, 'psp'), `#!/bin/sh\nexec "${BIN}" "$@"\n`)
  chmodSync(join(workspace.cwd, 'psp'), 0o755)
})
afterAll(() => workspace.remove())

const LINES = [
  ['psp payo', 'psp payouts'],
  ['psp webhooks deliv', 'psp webhooks deliveries'],
  ['psp payments create --amo', 'psp payments create --amount'],
  ['psp payments create --method sbe', 'psp payments create --method sberpay'],
  ['psp payments create --method=sbe', 'psp payments create --method=sberpay'],
  ['psp payments list --stat', 'psp payments list --status'],
  ['psp payments create --outcome failed:ins', 'psp payments create --outcome failed:insufficient_funds'],
  ['psp payouts settle ID failed:recipient_n', 'psp payouts settle ID failed:recipient_not_found'],
] as const

const SHELLS = [
  ['bash', 'bash --norc --noprofile -i', "source <(psp completion bash); source <(psp completion bash); PS1='> '"],
  [
    'zsh',
    'zsh -f -i',
    "psp completion zsh > _psp; fpath=($PWD $fpath); autoload -U compinit; compinit -u -D; zstyle '*' insert-tab false; PS1='> '",
  ],
] as const

describe.each(SHELLS)('%s', (shell, line, setUp) => {
  test.skipIf(!has(shell) || !has('script'))(
    `the shell completes commands, flags and values (needs ${shell} and script)`,
    async () => {
      const typed = LINES.map(([start]) => `${start}${TAB}${ECHO_INSTEAD}`).join('')
      const { stdout } = await run('script', ['-qec', line, '/dev/null'], `${setUp}\r${typed}exit\r`)
      const printed = stdout.split('\n').map((text) => text.trim())
      for (const [, whole] of LINES) expect(printed, stdout).toContain(whole)
      expect(stdout).not.toMatch(/readonly|command not found/)
    },
  )
})

describe('fish', () => {
  test.skipIf(!has('fish'))('fish completes commands, flags and values (needs fish)', async () => {
    const asked = LINES.map(([start]) => `complete -C '${start}'`).join('; ')
    const { stdout } = await run('fish', ['--no-config', '-c', `psp completion fish | source; ${asked}`], '')
    const offered = stdout.split('\n').map((text) => text.split('\t')[0])
    for (const [, whole] of LINES) expect(offered, stdout).toContain(whole.split(' ').at(-1))
    expect(stdout).toContain('payouts\tSend money to people through SBP.')
  })
})

function run(program: string, args: readonly string[], input: string) {
  return execa(program, args, {
    cwd: workspace.cwd,
    input,
    reject: false,
    timeout: 150_000,
    extendEnv: false,
    env: { PATH: `${workspace.cwd}:${process.env['PATH']}`, HOME: workspace.cwd, TMPDIR: tmpdir(), TERM: 'dumb' },
  })
}

function has(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`])
    return true
  } catch {
    return false
  }
}
