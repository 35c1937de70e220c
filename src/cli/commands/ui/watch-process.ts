// Ends of the process that nobody asked for: a fault, a closed terminal. The screen is given back before anything is said.

export interface Watched {
  /** Aborted by a signal of the session, and when the terminal is closed. */
  readonly ended: AbortSignal
  /** Rejects with a fault that nobody caught. */
  readonly broken: Promise<never>
  onExit(leave: () => void): () => void
  stop(): void
}

export function watchProcess(asked: AbortSignal): Watched {
  const closed = new AbortController()
  const hangUp = () => closed.abort()
  let fail: (error: unknown) => void = () => {}
  const broken = new Promise<never>((_, reject) => {
    fail = reject
  })
  broken.catch(() => {})
  const fault = (error: unknown) => fail(error)
  process.on('SIGHUP', hangUp)
  process.on('uncaughtException', fault)
  process.on('unhandledRejection', fault)
  return {
    ended: AbortSignal.any([asked, closed.signal]),
    broken,
    onExit(leave) {
      process.on('exit', leave)
      broken.catch(leave)
      return () => process.off('exit', leave)
    },
    stop() {
      process.off('SIGHUP', hangUp)
      process.off('uncaughtException', fault)
      process.off('unhandledRejection', fault)
    },
  }
}
