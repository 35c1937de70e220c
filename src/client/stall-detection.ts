// Detects a stalled server: if a response takes long, it checks the server's health.

import { deferred } from '../domain/promises.ts'
import type { Timers } from '../domain/time.ts'
import { NoResponseError } from './errors.ts'
import type { FetchLike, FetchResponse } from './fetch-like.ts'

/** ms without a response until the first health check, and ms between two checks. */
export const STALL_AFTER = 5000

/** ms to wait for any response to a health check. While checks succeed, a late response is awaited without limit. */
export const HEALTH_TIMEOUT = 10_000

/** Replaces {@link HEALTH_TIMEOUT} for a request that may block the server. */
export const LONG_HEALTH_TIMEOUT = 60_000

const SLOW_ROUTES = /^\/_psp\/(clock|export|import|reset|snapshots)\b/

export interface StallOptions {
  readonly fetch: FetchLike
  readonly timers: Timers
  /** The URL of the health check, such as `http://127.0.0.1:7770/_psp/health`. Faults do not affect this route. */
  readonly health: string
  /** Called once for each slow request, except those that are expected to be slow. */
  readonly onStall: () => void
}

/** Rejects with {@link NoResponseError} if neither the request nor a health check gets a response. */
export function fetchWithStallDetection({ fetch, timers, health, onStall }: StallOptions): FetchLike {
  const checkHealth = async (signal: AbortSignal) =>
    (await fetch(health, { method: 'GET', headers: {}, signal })).text()

  return async (url, init) => {
    const ended = new AbortController()
    const signal = init.signal === undefined ? ended.signal : AbortSignal.any([init.signal, ended.signal])
    const isSlow = SLOW_ROUTES.test(new URL(url).pathname)
    let isReported = isSlow

    function onCheck(): void {
      if (!isReported) onStall()
      isReported = true
    }

    async function watched<T>(work: Promise<T>): Promise<T> {
      const watch = watchHealth(checkHealth, isSlow ? LONG_HEALTH_TIMEOUT : HEALTH_TIMEOUT, timers, onCheck)
      watch.failed.catch((error) => ended.abort(error))
      try {
        return await Promise.race([work, watch.failed])
      } finally {
        watch.stop()
      }
    }

    const response: FetchResponse = await watched(fetch(url, { ...init, signal }))
    return { ...response, text: () => watched(response.text()) }
  }
}

/**
 * Checks the server's health repeatedly until `stop` is called. `failed` rejects if a check has no result in time.
 * @param checkHealth may reject if the server accepts no new connection. Even then, the server may still finish the
 * request.
 * @param timeout ms to wait for the result of a check
 * @param onCheck called before each check
 */
function watchHealth(
  checkHealth: (signal: AbortSignal) => Promise<unknown>,
  timeout: number,
  timers: Timers,
  onCheck: () => void,
): { readonly failed: Promise<never>; stop(): void } {
  const stopped = new AbortController()
  const { promise: failed, reject: giveUp } = deferred<never>()
  let nextCheck = timers.setTimeout(check, STALL_AFTER)
  let limit: { cancel(): void } | undefined

  function check(): void {
    onCheck()
    limit = timers.setTimeout(() => {
      stopped.abort()
      giveUp(new NoResponseError())
    }, timeout)
    checkHealth(stopped.signal)
      .catch(() => {})
      .finally(scheduleNext)
  }

  function scheduleNext(): void {
    limit?.cancel()
    if (!stopped.signal.aborted) nextCheck = timers.setTimeout(check, STALL_AFTER)
  }

  return {
    failed,
    stop() {
      nextCheck.cancel()
      limit?.cancel()
      stopped.abort()
    },
  }
}
