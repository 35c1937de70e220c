// Ends a command when its parent process ends. Under npm and npx this is necessary: at SIGTERM, npm ends its shell but
// does not signal the processes that the shell has started.
import type { Command } from '../command.ts'
import { usageError } from '../failure.ts'
import type { HostProcess } from '../host-process.ts'

/** ms between two checks. */
const POLL_INTERVAL = 500

/** The reason why a command ends with its parent: `--exit-with-parent` was given, or npm started it. */
export type ParentTie = 'asked' | 'npm'

/**
 * Returns why the command ends with its parent; `undefined` if it does not. Under npm, `exec` always does. Another
 * long-running command only does under `npx` (`npm exec`), because `psp serve &` in an npm script must outlive npm.
 */
export function parentTie(
  { name, isLongRunning, flags }: Pick<Command, 'name' | 'isLongRunning' | 'flags'>,
  { exit_with_parent }: { readonly exit_with_parent: boolean },
  env: HostProcess['env'],
): ParentTie | undefined {
  if (exit_with_parent && 'exit_with_parent' in flags) return 'asked'
  const npm = env['npm_command']
  return isLongRunning && npm !== undefined && (name === 'exec' || npm === 'exec') ? 'npm' : undefined
}

/**
 * Calls `onExit` once after the first parent has ended: the system then gives the process another parent.
 * @throws CliError if the tie is `asked` and the system does not report the parent
 */
export function watchParent(
  { parent, systemClock }: Pick<HostProcess, 'parent' | 'systemClock'>,
  tie: ParentTie,
  onExit: () => void,
): { cancel(): void } {
  if (parent === undefined) {
    if (tie === 'npm') return { cancel() {} }
    throw usageError(
      '--exit-with-parent does not work on this system, which does not report that a parent has ended.',
      'Omit the flag, and stop psp with a signal.',
    )
  }
  const timer = systemClock.setInterval(() => {
    if (parent.now() === parent.first) return
    timer.cancel()
    onExit()
  }, POLL_INTERVAL)
  timer.unref?.()
  return timer
}
