// Detects a stalled server: if a response takes long, it checks the server's health.

import { deferred } from '../domain/promises.ts'
import type { Timers } from '../domain/time.ts'
import { NoResponseError } from './errors.ts'
import type { FetchLike, FetchResponse } from './fetch-like.ts'

/** ms without a response until the first health check, and ms between two checks. */
export const STALL_AFTER = 5000

/** ms to wait for any response to a health check. While the server is healthy, a late response is awaited without limit. */
export const HEALTH_TIMEOUT = 10_000

/** The same in ms, for a request that may block the server. */
export const LONG_HEALTH_TIMEOUT = 60_000

const SLOW_ROUTES = /^\/_psp\/(clock|export|import|reset|snapshots)\b/

export interface StallOptions {
  readonly fetch: FetchLike
  readonly timers: Timers
  /** Such as `http://127.0.0.1:7770/_psp/health`, a route without faults. */
  readonly health: string
  /** Called once for each slow request, except those that are expected to be slow. */
  readonly onStall: () => void
}

/** Rejects with {@link NoResponseError} if neither the request nor a health check gets a response. */
export function fetchWithStallDetection({ fetch, timers, health, onStall }: StallOptions): FetchLike {
  return async (url, init) => {
    const ended = new AbortController()
    const signal = init.signal === undefined ? ended.signal : AbortSignal.any([init.signal, ended.signal])
    const isSlow = SLOW_ROUTES.test(new URL(url).pathname)
    let isReported = isSlow

    async function watched<T>(work: Promise<T>): Promise<T> {
      const silence = watch(() => {
        if (!isReported) onStall()
        isReported = true
      })
      try {
        return await Promise.race([work, silence.failed])
      } finally {
        silence.stop()
      }
    }

    function watch(onEach: () => void): { readonly failed: Promise<never>; stop(): void } {
      const healthCheck = new AbortController()
      const { promise: failed, reject: giveUp } = deferred<never>()
      let timer = timers.setTimeout(checkHealth, STALL_AFTER)
      let limit: { cancel(): void } | undefined

      function checkHealth(): void {
        onEach()
        limit = timers.setTimeout(
          () => {
            healthCheck.abort()
            const error = new NoResponseError()
            giveUp(error)
            ended.abort(error)
          },
          isSlow ? LONG_HEALTH_TIMEOUT : HEALTH_TIMEOUT,
        )
        fetch(health, { method: 'GET', headers: {}, signal: healthCheck.signal })
          .then((response) => response.text())
          // A server that accepts no new connection may still finish the request.
          .catch(() => {})
          .finally(scheduleNext)
      }

      function scheduleNext(): void {
        limit?.cancel()
        if (!healthCheck.signal.aborted) timer = timers.setTimeout(checkHealth, STALL_AFTER)
      }

      return {
        failed,
        stop() {
          timer.cancel()
          limit?.cancel()
          healthCheck.abort()
        },
      }
    }

    const response: FetchResponse = await watched(fetch(url, { ...init, signal }))
    return { ...response, text: () => watched(response.text()) }
  }
}
