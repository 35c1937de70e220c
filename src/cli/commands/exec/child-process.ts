// The process that `psp exec` runs: its environment, its program and its process group.

import { existsSync } from 'node:fs'
import { win32 } from 'node:path'
import { execa } from 'execa'
import { npmRunPathEnv } from 'npm-run-path'
import { pause } from '../../../domain/promises.ts'
import type { SystemClock } from '../../../system-clock/system-clock.ts'
import type { HostProcess } from '../../host-process.ts'

type Env = HostProcess['env']

/**
 * Returns the complete environment of the child, with the programs of the project first in PATH. On Windows, execa
 * needs all of it to find `vitest.cmd` in `node_modules/.bin`, and to quote arguments for cmd.exe.
 */
export function childEnvironment({ env, cwd }: Pick<HostProcess, 'env' | 'cwd'>, added: Env): Record<string, string> {
  const defined = Object.entries({ ...env, ...added }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  return npmRunPathEnv({ cwd, env: Object.fromEntries(defined) }) as Record<string, string>
}

/** Whether cmd.exe finds the program, with or without an extension of PATHEXT. True on other systems. */
export function isProgram(
  file: string,
  host: Pick<HostProcess, 'env' | 'cwd' | 'paths'>,
  exists: (path: string) => boolean = existsSync,
): boolean {
  if (host.paths !== win32) return true
  const value = (name: string) => Object.entries(host.env).find(([key]) => key.toUpperCase() === name)?.[1] ?? ''
  const endings = ['', ...(value('PATHEXT') || '.COM;.EXE;.BAT;.CMD').split(';')]
  const local = win32.join(host.cwd, 'node_modules', '.bin')
  const folders = /[\\/]/.test(file) ? [host.cwd] : [host.cwd, local, ...value('PATH').split(';')]
  return folders.some((folder) => endings.some((ending) => exists(win32.resolve(folder, file + ending))))
}

/** The child and its descendants. Signals reach all of them, and none outlives `psp exec`. */
export interface ProcessGroup {
  signal(name: NodeJS.Signals): void
  /** Asks the remaining processes to end, and kills them after 2 s. */
  end(): Promise<void>
}

/** ms between SIGTERM and SIGKILL. */
const GRACE = 2000
const PAUSE = 20

/** @param leader pid of the `detached` process, which is also the id of the group */
export function processGroup(leader: number, systemClock: Pick<SystemClock, 'setTimeout' | 'monotonic'>): ProcessGroup {
  const watchdog = startWatchdog(leader)

  /** Returns whether a process of the group is running. The signal 0 only checks this. */
  function signal(name: NodeJS.Signals | 0): boolean {
    try {
      return process.kill(-leader, name)
    } catch {
      return false
    }
  }

  return {
    signal: (name) => void signal(name),
    async end() {
      const deadline = systemClock.monotonic() + GRACE
      let isRunning = signal('SIGTERM')
      while (isRunning && systemClock.monotonic() < deadline) {
        await pause(PAUSE, systemClock)
        isRunning = signal(0)
      }
      if (isRunning) signal('SIGKILL')
      watchdog.release()
    },
  }
}

/** A shell script that ends the group if this process is killed. Its stdin then ends without the line `over`. */
const WATCHDOG_SCRIPT = `trap '' INT TERM HUP
read -r over || { kill -s TERM -- "-$1"; sleep 2; kill -s KILL -- "-$1"; }`

function startWatchdog(leader: number): { release(): void } {
  const shell = execa('sh', ['-c', WATCHDOG_SCRIPT, 'sh', String(leader)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    reject: false,
  })
  shell.stdin.on('error', () => {})
  return { release: () => void shell.stdin.end('over\n') }
}
