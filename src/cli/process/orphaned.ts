// At SIGTERM npm and npx end the shell they started and tell nobody below it: a command whose npm is gone ends as if it had
// been told itself.
import type { Host } from '../host.ts'

/** ms between two looks. */
const LOOK = 500

/**
 * Calls `gone` once when the process that started this one under npm is there no more. `psp serve &` in a script of npm is
 * meant to outlive it: `ofScripts` is for commands that are not started so.
 */
export function watchParent(
  { env, parent, wall }: Pick<Host, 'env' | 'parent' | 'wall'>,
  ofScripts: boolean,
  gone: () => void,
): { cancel(): void } {
  const npm = env['npm_command']
  if (parent === undefined || npm === undefined || !(ofScripts || npm === 'exec')) return { cancel() {} }
  const first = parent()
  const timer = wall.setInterval(() => {
    if (parent() === first) return
    timer.cancel()
    gone()
  }, LOOK)
  timer.unref?.()
  return timer
}
