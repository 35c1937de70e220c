import type { Exchange } from './app-env.ts'

/** Calls `listener` when the client disconnects or the response has been sent. Returns a function that removes the listener. */
export function onDisconnect({ env, req }: Exchange, listener: () => void): () => void {
  const outgoing = env?.outgoing
  if (outgoing !== undefined) {
    if (outgoing.closed) listener()
    outgoing.on('close', listener)
    return () => outgoing.off('close', listener)
  }
  const { signal } = req.raw
  if (signal.aborted) listener()
  signal.addEventListener('abort', listener)
  return () => signal.removeEventListener('abort', listener)
}
