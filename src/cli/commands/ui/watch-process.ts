// Ends of the process that nobody asked for: a fault, a closed terminal. Each ends the view as a person would, so that the
// screen is given back before anything is said.
import { constants } from 'node:os'

/** Without a listener they leave the terminal as the view has made it. SIGIOT is another name of SIGABRT, heard apart from it. */
const CRASHES = ['SIGQUIT', 'SIGABRT', 'SIGIOT'] as const

export interface Watched {
  /** Aborted by a signal of the session, by a fault, and when the terminal is closed. */
  readonly ended: AbortSignal
  /** Calls `leave` when the process ends all at once; returns how to stop that. */
  onExit(leave: () => void): () => void
  /**
   * The exit code: 128 and its number for a signal that is no clean end, else 0.
   * @throws the fault that nobody caught, if there was one
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
