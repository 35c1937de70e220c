// Ends a command when its parent process ends. This matters for npm and npx: at SIGTERM they end their shell but do not
// signal the processes below it.
import type { Command } from '../command.ts'
import { usage } from '../failure.ts'
import type { HostProcess } from '../host-process.ts'

/** ms between two checks. */
const POLL_INTERVAL = 500

/** The reason a command ends with its parent; absent: it outlives its parent. */
export type ParentTie = 'asked' | 'npm'

/**
 * Returns why the command ends with its parent. Only `serve` and `exec` have the flag, because a terminal ends the other
 * long-running commands. `psp serve &` in an npm script is meant to outlive npm. Therefore a long-running command is tied to
 * npm only under `npm exec`, but `psp exec` always is.
 */
export function parentTie(
  { name, isLongRunning: stays, flags }: Pick<Command, 'name' | 'isLongRunning' | 'flags'>,
  { exit_with_parent }: { readonly exit_with_parent: boolean },
  env: HostProcess['env'],
): ParentTie | undefined {
  if (exit_with_parent && 'exit_with_parent' in flags) return 'asked'
  const npm = env['npm_command']
  return stays && npm !== undefined && (name === 'exec' || npm === 'exec') ? 'npm' : undefined
}

/**
 * Calls `gone` once when the parent is not `first` any more: the system gives an orphan another parent, however the first
 * one ended.
 * @throws CliError if the tie was asked for and the system does not report the parent
 */
export function watchParent(
  { parent, systemClock }: Pick<HostProcess, 'parent' | 'systemClock'>,
  tie: ParentTie,
  onExit: () => void,
): { cancel(): void } {
  if (parent === undefined) {
    if (tie === 'npm') return { cancel() {} }
    throw usage(
      '--exit-with-parent does not work on this system, which does not report that a parent has ended.',
      'Omit it, and stop the server with a signal.',
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
