// Ends of the process that nobody asked for: a fault, a closed terminal. Each ends the view as a person would, so that the
// screen is given back before anything is said.

export interface Watched {
  /** Aborted by a signal of the session, by a fault, and when the terminal is closed. */
  readonly ended: AbortSignal
  /** Calls `leave` when the process ends all at once; returns how to stop that. */
  onExit(leave: () => void): () => void
  /** @throws the fault that nobody caught, if there was one */
  stop(): void
}

export function watchProcess(asked: AbortSignal): Watched {
  const closed = new AbortController()
  let fault: { readonly error: unknown } | undefined
  const onHangUp = () => closed.abort()
  const onFault = (error: unknown) => {
    fault ??= { error }
    closed.abort()
  }
  process.on('SIGHUP', onHangUp)
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
      process.off('uncaughtException', onFault)
      process.off('unhandledRejection', onFault)
      if (fault !== undefined) throw fault.error
    },
  }
}
