// What the child finds in its environment, and whether a program is to be found there at all.
import { existsSync } from 'node:fs'
import { win32 } from 'node:path'
import { npmRunPathEnv } from 'npm-run-path'
import type { Host } from '../../host.ts'

type Env = Host['env']

/**
 * With the programs of the project in front of PATH. It is whole, so that what starts the child on Windows sees a
 * `vitest.cmd` of `node_modules/.bin` and quotes for it: such a file hands its arguments on through cmd.exe once more.
 */
export function childEnvironment({ env, cwd }: Pick<Host, 'env' | 'cwd'>, own: Env): Record<string, string> {
  const whole = Object.entries({ ...env, ...own }).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return npmRunPathEnv({ cwd, env: Object.fromEntries(whole) }) as Record<string, string>
}

/** On Windows: whether cmd.exe finds it, by itself or with one of the endings of PATHEXT. True elsewhere. */
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
