// Creates the environment of the child, and checks whether a program exists in its PATH.
import { existsSync } from 'node:fs'
import { win32 } from 'node:path'
import { npmRunPathEnv } from 'npm-run-path'
import type { Host } from '../../host.ts'

type Env = Host['env']

/**
 * Returns the environment with the programs of the project first in PATH. It is complete, so that on Windows the spawn
 * code finds `vitest.cmd` in `node_modules/.bin` and quotes arguments for cmd.exe.
 */
export function childEnvironment({ env, cwd }: Pick<Host, 'env' | 'cwd'>, own: Env): Record<string, string> {
  const whole = Object.entries({ ...env, ...own }).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return npmRunPathEnv({ cwd, env: Object.fromEntries(whole) }) as Record<string, string>
}

/** Returns whether cmd.exe finds the program, with or without an extension of PATHEXT. True on other systems. */
export function isProgram(
  file: string,
  host: Pick<Host, 'env' | 'cwd' | 'paths'>,
  exists: (path: string) => boolean = existsSync,
): boolean {
  if (host.paths !== win32) return true
  const value = (name: string) => Object.entries(host.env).find(([key]) => key.toUpperCase() === name)?.[1] ?? ''
  const endings = ['', ...(value('PATHEXT') || '.COM;.EXE;.BAT;.CMD').split(';')]
  const local = win32.join(host.cwd, 'node_modules', '.bin')
  const folders = /[\\/]/.test(file) ? [host.cwd] : [host.cwd, local, ...value('PATH').split(';')]
  return folders.some((folder) => endings.some((ending) => exists(win32.resolve(folder, file + ending))))
}
