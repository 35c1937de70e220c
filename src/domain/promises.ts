import type { Timers } from './time.ts'

export interface Deferred<T> {
  readonly promise: Promise<T>
  resolve(this: void, value: T): void
  reject(this: void, reason: unknown): void
}

/** Same as `Promise.withResolvers`, which Node 20 does not have. */
export function deferred<T = void>(): Deferred<T> {
  let resolve!: Deferred<T>['resolve']
  let reject!: Deferred<T>['reject']
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}

/**
 * Rejects with the reason of the signal when it is aborted, even if `work` never settles. Afterwards the signal keeps
 * no reference to `work`. `Promise.race` with one long-lived promise would retain the value of every race.
 */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return await work
  let stop = () => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    signal.removeEventListener('abort', stop)
    work.catch(() => {})
  }
}

/** Like {@link unlessAborted}, but resolves with `undefined` when the signal is aborted. */
export async function resultUnlessAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T | undefined> {
  try {
    return await unlessAborted(work, signal)
  } catch (error) {
    if (signal?.aborted === true) return undefined
    throw error
  }
}

/** Resolves after `ms`, or as soon as the signal is aborted. */
export async function pause(ms: number, timers: Timers, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return
  await new Promise<void>((resolve) => {
    const done = () => {
      timer.cancel()
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = timers.setTimeout(done, ms)
    signal?.addEventListener('abort', done, { once: true })
  })
}

/** Resolves when the signal is aborted, or now if it already is. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
