// Runs a shell command that the user gave. At its time limit, and when psp ends, it is killed with all its descendants.
import { spawnSync } from 'node:child_process'
import type { Session } from '../../session.ts'

export interface ShellResult {
  /** The text on stdout. */
  readonly text: string
  /** The exit code or signal and the last line on stderr, if the command failed. */
  readonly failure?: string
}

/**
 * Returns `undefined` if the command did not end in time.
 * @param limit in ms
 */
export async function runShellCommand(
  command: string,
  env: { readonly [name: string]: string },
  limit: number,
  { host, signals }: Pick<Session, 'host' | 'signals'>,
): Promise<ShellResult | undefined> {
  const { execa } = await import('execa')
  // A process group, so that the processes that the shell has started can be killed with it.
  const usesGroup = process.platform !== 'win32'
  const child = execa(command, {
    shell: true,
    cwd: host.cwd,
    env,
    reject: false,
    stdin: 'ignore',
    detached: usesGroup,
    cleanup: true,
  })
  let isLate = false
  const end = () => killTree(child, usesGroup)
  const deadline = host.systemClock.setTimeout(() => {
    isLate = true
    end()
  }, limit)
  const { ended } = signals
  if (ended.aborted) end()
  ended.addEventListener('abort', end)
  // An exploration handles the first signal itself, and may end while the command runs.
  process.once('exit', end)
  const result = await child
  process.off('exit', end)
  ended.removeEventListener('abort', end)
  deadline.cancel()
  if (isLate) return undefined
  const text = result.stdout
  if (result.exitCode === 0) return { text }
  const lastLine = result.stderr.trim().split('\n').at(-1) ?? ''
  const code = result.exitCode ?? result.signal ?? 'no exit code'
  return { text, failure: lastLine === '' ? String(code) : `${code}: ${lastLine}` }
}

interface ShellProcess {
  readonly pid?: number | undefined
  readonly stdout: { destroy(): unknown }
  readonly stderr: { destroy(): unknown }
  kill(signal: 'SIGKILL'): boolean
}

/** Kills the process and its descendants. Windows has no process groups, so `taskkill` does this there. */
function killTree(child: ShellProcess, usesGroup: boolean): void {
  try {
    if (usesGroup && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    else spawnSync('taskkill', ['/pid', String(child.pid), '/t', '/f'], { stdio: 'ignore' })
  } catch {
    // It has already exited.
  }
  child.kill('SIGKILL')
  child.stdout.destroy()
  child.stderr.destroy()
}
