// A server that takes a call and then says nothing: is the answer late, or is nobody there?

import { deferred } from '../domain/deferred.ts'
import type { Timers } from '../domain/timers.ts'
import { NoResponseError } from './errors.ts'
import type { FetchLike, FetchResponse } from './fetch-like.ts'

/** ms without an answer, after which the server is asked whether it lives, and again as long after each yes. */
export const STALL_AFTER = 5000

/** ms in which any answer shows that it does: a late answer, as a fault may plan it, is waited for without end. */
export const HEALTH_TIMEOUT = 10_000

/** The same while the server may do one large thing and nothing beside it. */
export const LONG_HEALTH_TIMEOUT = 60_000

const LARGE_WORK = /^\/_psp\/(clock|export|import|reset|snapshots)\b/

export interface StallOptions {
  readonly fetch: FetchLike
  readonly timers: Timers
  /** `http://127.0.0.1:7770/_psp/health`: what is asked there is free of faults. */
  readonly health: string
  /** Told once of each call that lasts, but for those of which that is to be expected. */
  readonly onStall: () => void
}

/** Rejects with {@link NoResponseError} where neither the call nor a question after the server's health is answered. */
export function fetchWithStallDetection({ fetch, timers, health, onStall: onQuiet }: StallOptions): FetchLike {
  return async (url, init) => {
    const ended = new AbortController()
    const signal = init.signal === undefined ? ended.signal : AbortSignal.any([init.signal, ended.signal])
    const isLarge = LARGE_WORK.test(new URL(url).pathname)
    let told = isLarge

    async function watched<T>(work: Promise<T>): Promise<T> {
      const silence = watch(() => {
        if (!told) onQuiet()
        told = true
      })
      try {
        return await Promise.race([work, silence.failed])
      } finally {
        silence.stop()
      }
    }

    function watch(onEach: () => void): { readonly failed: Promise<never>; stop(): void } {
      const asking = new AbortController()
      const { promise: failed, reject: giveUp } = deferred<never>()
      let timer = timers.setTimeout(ask, STALL_AFTER)
      let limit: { cancel(): void } | undefined

      function ask(): void {
        onEach()
        limit = timers.setTimeout(
          () => {
            asking.abort()
            const error = new NoResponseError()
            giveUp(error)
            ended.abort(error)
          },
          isLarge ? LONG_HEALTH_TIMEOUT : HEALTH_TIMEOUT,
        )
        fetch(health, { method: 'GET', headers: {}, signal: asking.signal })
          .then((reply) => reply.text())
          // One that takes nothing new may still end what it has.
          .catch(() => {})
          .finally(again)
      }

      function again(): void {
        limit?.cancel()
        if (!asking.signal.aborted) timer = timers.setTimeout(ask, STALL_AFTER)
      }

      return {
        failed,
        stop() {
          timer.cancel()
          limit?.cancel()
          asking.abort()
        },
      }
    }

    const reply: FetchResponse = await watched(fetch(url, { ...init, signal }))
    return { ...reply, text: () => watched(reply.text()) }
  }
}
