// Handles unexpected ends of the process, such as an error or a closed terminal. Each closes the view, so that the screen is
// restored before an error is printed.
import { constants } from 'node:os'

/** Signals that would leave the terminal in raw mode. SIGIOT is an alias of SIGABRT, but Node emits it separately. */
const CRASHES = ['SIGQUIT', 'SIGABRT', 'SIGIOT'] as const

export interface Watched {
  /** Aborted by a signal of the session, by an error, and when the terminal is closed. */
  readonly ended: AbortSignal
  /** Calls `leave` when the process exits. Returns a function that cancels this. */
  onExit(leave: () => void): () => void
  /**
   * Returns the exit code: 128 + n for a crash signal n, otherwise 0.
   * @throws the uncaught error, if there was one
   */
  stop(): number
}

export function watchProcess(asked: AbortSignal): Watched {
  const closed = new AbortController()
  let fault: { readonly error: unknown } | undefined
  let code = 0
  const onHangUp = () => closed.abort()
  const onCrash = (name: NodeJS.Signals) => {
    code = 128 + constants.signals[name]
    closed.abort()
  }
  const onFault = (error: unknown) => {
    fault ??= { error }
    closed.abort()
  }
  process.on('SIGHUP', onHangUp)
  for (const name of CRASHES) process.on(name, onCrash)
  process.on('uncaughtException', onFault)
  process.on('unhandledRejection', onFault)
  return {
    ended: AbortSignal.any([asked, closed.signal]),
    onExit(leave) {
      process.on('exit', leave)
      return () => process.off('exit', leave)
    },
    stop() {
      process.off('SIGHUP', onHangUp)
      for (const name of CRASHES) process.off(name, onCrash)
      process.off('uncaughtException', onFault)
      process.off('unhandledRejection', onFault)
      if (fault !== undefined) throw fault.error
      return code
    },
  }
}
